// Checks the code that LibTorch would run when it loads the file. This exporter does not run it, but it must not
// silently export a file that would do harm elsewhere. Everything in a `__setstate__` that is not known to be harmless
// counts as a danger. The list of harmless calls is short, and that of harmful ones has no end.
#include "runtime/sources/torchscript/archive/safety.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>

#include "runtime/ir/location.h"
#include "runtime/sources/torchscript/syntax/dotted_name.h"

namespace onnxport::torchscript {
namespace {

// Operators of LibTorch that read or write files.
constexpr std::string_view kFileOperators[] = {"torch.from_file",     "torch.save",    "torch.load",
                                               "ops.aten.from_file",  "ops.aten.save", "ops.image.read_file",
                                               "ops.image.write_file"};

// The calls that a `__setstate__` may make: they move data, query it, and pack quantized weights.
constexpr std::string_view kHarmless[] = {"annotate",
                                          "unchecked_cast",
                                          "uninitialized",
                                          "int",
                                          "float",
                                          "bool",
                                          "str",
                                          "torch.len",
                                          "torch.eq",
                                          "torch.ne",
                                          "torch.lt",
                                          "torch.gt",
                                          "torch.le",
                                          "torch.ge",
                                          "torch.__is__",
                                          "torch.__isnot__",
                                          "torch.__not__",
                                          "torch.__and__",
                                          "torch.__or__",
                                          "torch.append",
                                          "torch.list",
                                          "torch.dict",
                                          "torch._set_item",
                                          "torch.format",
                                          "torch.__contains__",
                                          "torch.keys",
                                          "torch.values",
                                          "torch.items",
                                          "torch.extend",
                                          "torch.add",
                                          "ops.prim.RaiseException",
                                          "ops.prim.unchecked_unwrap_optional",
                                          "range",
                                          "isinstance",
                                          "torch.jit.annotate",
                                          "torch.dequantize",
                                          "torch.q_scale",
                                          "torch.q_zero_point",
                                          "torch.set_",
                                          "torch.device"};

void ForEachExpr(const Expr& expr, const std::function<void(const Expr&)>& visit) {
  visit(expr);
  for (const Expr& operand : expr.operands) ForEachExpr(operand, visit);
  for (const auto& [name, value] : expr.keywords) ForEachExpr(value, visit);
}

void ForEachExpr(const StmtList& body, const std::function<void(const Expr&)>& visit) {
  for (const Stmt& stmt : body) {
    for (const Expr& target : stmt.targets) ForEachExpr(target, visit);
    ForEachExpr(stmt.value, visit);
    ForEachExpr(stmt.body, visit);
    ForEachExpr(stmt.orelse, visit);
  }
}

bool HasLoop(const StmtList& body) {
  return std::ranges::any_of(body, [](const Stmt& stmt) {
    return stmt.kind == StmtKind::kWhile || stmt.kind == StmtKind::kFor || HasLoop(stmt.body) || HasLoop(stmt.orelse);
  });
}

class Finder {
 public:
  explicit Finder(const Program& program) : program_(program) {}

  std::vector<std::string> Find() {
    for (const auto& [name, type] : program_.classes) {
      for (const Function& method : type.methods) FindFileOperators(method);
      if (const Function* set_state = type.FindMethod("__setstate__")) CheckSetState(*set_state, type);
    }
    for (const auto& [name, function] : program_.functions) FindFileOperators(function);
    return std::move(found_);
  }

 private:
  void Add(const Function& function, Offset offset, const std::string& what) {
    const ir::Location location = function.file ? function.file->Locate(offset) : ir::Location{};
    found_.push_back(fmt::format("{}: {}: {}", ir::FileAndLine(location), function.qualified_name, what));
  }

  void FindFileOperators(const Function& function) {
    ForEachExpr(function.body, [&](const Expr& expr) {
      if (expr.kind != ExprKind::kCall) return;
      const std::string name = DottedName(expr.operands[0]);
      if (std::ranges::find(kFileOperators, name) != std::end(kFileOperators))
        Add(function, expr.offset, name + " reads or writes a file, which no model does: leave it out");
    });
  }

  void CheckSetState(const Function& set_state, const Class& type) {
    seen_.clear();
    CheckMoves(set_state, type, set_state);
  }

  // Checks the actions of `function` for `root`, a `__setstate__`.
  void CheckMoves(const Function& function, const Class& type, const Function& root) {
    // Functions may call each other in a circle.
    if (!seen_.insert(&function).second) return;
    // A loop of harmless calls may run for ever, before the model is used.
    if (HasLoop(function.body))
      Add(root, function.offset, function.name + " has a loop, and runs when the file is loaded");
    ForEachExpr(function.body, [&](const Expr& expr) {
      if (expr.kind == ExprKind::kCall) CheckCall(expr, function, type, root);
    });
  }

  void CheckCall(const Expr& call, const Function& function, const Class& type, const Function& root) {
    const Expr& callee = call.operands[0];
    const std::string name = DottedName(callee);
    const bool packs = name.starts_with("ops.quantized.") && name.find("_prepack") != name.npos;
    if (packs || std::ranges::find(kHarmless, name) != std::end(kHarmless)) return;
    if (const auto called = program_.functions.find(name); called != program_.functions.end())
      return CheckMoves(called->second, type, root);
    // A method of the object itself. Any variable may be the object, so the class's method of that name is checked.
    const bool own = callee.kind == ExprKind::kAttribute && callee.operands[0].kind == ExprKind::kName;
    const Function* method = own && !name.starts_with("torch.") ? type.FindMethod(callee.text) : nullptr;
    if (method) return CheckMoves(*method, type, root);
    Add(root, call.offset,
        fmt::format("{} calls {} when the file is loaded", function.name, name.empty() ? callee.text : name));
  }

  const Program& program_;
  std::vector<std::string> found_;
  std::set<const Function*> seen_;
};

}  // namespace

std::vector<std::string> FindDangers(const Program& program) { return Finder(program).Find(); }

}  // namespace onnxport::torchscript
