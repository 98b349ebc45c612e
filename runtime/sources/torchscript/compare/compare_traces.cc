// Traces of one model at several sizes have the same code, except for integers that Python computed from sizes. So this
// walks over both codes in parallel, from the modules' methods on. Integers may differ and are collected. Any other
// difference means that the program acts differently at other sizes, and no model can do that. LibTorch numbers the
// names of variables and of mangled classes. They may differ if each name always corresponds to the same other name.
#include "runtime/sources/torchscript/compare/compare_traces.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

#include "runtime/base/error.h"
#include "runtime/base/interruption.h"
#include "runtime/ir/location.h"
#include "runtime/ir/same_bytes.h"
#include "runtime/sources/torchscript/compare/code_names.h"
#include "runtime/sources/torchscript/compare/compare_objects.h"
#include "runtime/sources/torchscript/compare/trace_pair.h"
#include "runtime/sources/torchscript/syntax/dotted_name.h"
#include "runtime/sources/torchscript/syntax/parser.h"

namespace onnxport::torchscript {
namespace {

constexpr size_t kMostText = 120;  // of code that messages show
constexpr int kMostCalls = 200;    // depth of calls, as in the interpreter

std::string Cut(std::string text) {
  if (text.size() > kMostText) text = text.substr(0, kMostText) + "...";
  return text;
}

// Walks over the modules and the code of two traces in parallel.
class Comparison {
 public:
  Comparison(const TracedProgram& a, const TracedProgram& b)
      : pair_{a, b}, objects_(&pair_, [this](const std::string& a, const std::string& b, const std::string& path) {
          CompareClasses(a, b, path);
        }) {}
  Comparison(const Comparison&) = delete;

  // Integers of the first trace that differ in the second, and the call with each as an argument.
  struct Other {
    int64_t number;
    std::string op;
  };
  using Others = std::unordered_map<const Expr*, Other>;

  Others Run() {
    objects_.Compare(*pair_.a.program->module, *pair_.b.program->module, "");
    return std::move(others_);
  }

 private:
  void CompareClasses(const std::string& a, const std::string& b, const std::string& path) {
    const auto first = pair_.a.program->classes.find(a);
    const auto second = pair_.b.program->classes.find(b);
    const bool in_first = first != pair_.a.program->classes.end();
    const bool in_second = second != pair_.b.program->classes.end();
    if (WithoutMangling(a) != WithoutMangling(b)) pair_.RefuseValue(path);
    if (in_first != in_second) {
      TracePair::Refuse(
          fmt::format("{} has no code of '{}', of class {}: its archive is not whole, or of another model",
                      TracePair::Name(in_first ? pair_.b : pair_.a), path, in_first ? b : a));
    }
    // A class that is in neither trace is LibTorch's own and has no code. Classes seen before were compared then.
    if (!in_first || !seen_code_.emplace(&*first, &*second).second) return;
    for (const Function& method : first->second.methods) {
      const Function* other = second->second.FindMethod(method.name);
      if (!other) pair_.RefuseValue(Below(path, method.name));
      CompareFunctions(method, *other);
    }
  }

  void CompareFunctions(const Function& a, const Function& b) {
    if (!seen_code_.emplace(&a, &b).second) return;
    if (++calls_ > kMostCalls) TracePair::Refuse(fmt::format("calls are nested more than {} deep", kMostCalls));
    const std::pair outer = {std::exchange(function_a_, &a), std::exchange(function_b_, &b)};
    const std::string outer_op = std::exchange(op_, "");
    // Variables belong to one function. Those of the caller are restored afterwards.
    const Names outer_names = std::exchange(names_, {});
    if (a.params.size() != b.params.size()) RefuseCode(a.offset, a.qualified_name, b.offset, b.qualified_name);
    for (size_t i = 0; i < a.params.size(); ++i) {
      names_.Define(a.params[i].name, b.params[i].name);
      if (a.params[i].default_value && b.params[i].default_value)
        Compare(*a.params[i].default_value, *b.params[i].default_value);
    }
    Compare(a.body, b.body);
    --calls_;
    names_ = outer_names;
    op_ = outer_op;
    std::tie(function_a_, function_b_) = outer;
  }

  static std::string Place(const Function& function, Offset offset) {
    if (!function.file) return function.qualified_name;
    return ir::FileAndLine(function.file->Locate(offset));
  }

  [[noreturn]] void RefuseCode(Offset a, const std::string& first, Offset b, const std::string& second) const {
    TracePair::Refuse(
        fmt::format("the program does other things at other sizes: at {} `{}` in {}, at {} `{}` in {}; a loop over "
                    "an axis or a branch on a size has to be scripted, or the axis given a number",
                    Place(*function_a_, a), Cut(first), TracePair::Name(pair_.a), Place(*function_b_, b), Cut(second),
                    TracePair::Name(pair_.b)));
  }
  [[noreturn]] void RefuseExprs(const Expr& a, const Expr& b) const {
    RefuseCode(a.offset, ToText(a), b.offset, ToText(b));
  }

  void Compare(const StmtList& a, const StmtList& b) {
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) Compare(a[i], b[i]);
    if (a.size() == b.size()) return;
    const bool longer = a.size() > b.size();
    const Stmt& extra = longer ? a[b.size()] : b[a.size()];
    const Function& function = longer ? *function_a_ : *function_b_;
    TracePair::Refuse(fmt::format(
        "the program does other things at other sizes: only {} has `{}` at {}; a loop over an axis or a "
        "branch on a size has to be scripted, or the axis given a number",
        TracePair::Name(longer ? pair_.a : pair_.b), Cut(ToText(extra.value)), Place(function, extra.offset)));
  }

  void Compare(const Stmt& a, const Stmt& b) {
    Interruption::Check();
    if (a.kind != b.kind || a.targets.size() != b.targets.size() || a.unpacks != b.unpacks)
      RefuseCode(a.offset, ToText(a.value), b.offset, ToText(b.value));
    Compare(a.value, b.value);
    for (size_t i = 0; i < a.targets.size(); ++i) {
      if (a.targets[i].kind == ExprKind::kName && b.targets[i].kind == ExprKind::kName)
        names_.Define(a.targets[i].text, b.targets[i].text);
      Compare(a.targets[i], b.targets[i]);
    }
    Compare(a.body, b.body);
    Compare(a.orelse, b.orelse);
  }

  void Compare(const Expr& a, const Expr& b) {
    if (a.kind != b.kind || a.operands.size() != b.operands.size() || a.keywords.size() != b.keywords.size())
      RefuseExprs(a, b);
    if (a.kind == ExprKind::kInt && a.integer != b.integer) others_.emplace(&a, Other{b.integer, op_});
    if (a.kind == ExprKind::kFloat && a.number != b.number && !(std::isnan(a.number) && std::isnan(b.number)))
      RefuseFloat(a, b);
    if (a.boolean != b.boolean || (a.kind == ExprKind::kString && a.text != b.text)) RefuseExprs(a, b);
    if (a.kind == ExprKind::kName && !names_.AreOne(a.text, b.text)) RefuseExprs(a, b);
    if (a.kind == ExprKind::kAttribute) return CompareAttributes(a, b);
    const std::string outer = op_;
    if (a.kind == ExprKind::kCall) op_ = ToText(a.operands[0]);
    for (size_t i = 0; i < a.operands.size(); ++i) Compare(a.operands[i], b.operands[i]);
    for (size_t i = 0; i < a.keywords.size(); ++i) {
      if (a.keywords[i].name != b.keywords[i].name) RefuseExprs(a, b);
      Compare(a.keywords[i].value, b.keywords[i].value);
    }
    op_ = outer;
  }

  [[noreturn]] void RefuseFloat(const Expr& a, const Expr& b) const {
    TracePair::Refuse(fmt::format(
        "an argument of {} at {} was {} in {} and {} in {}: of numbers with a point nothing is computed; "
        "make it with operators of the sizes of the inputs",
        op_, Place(*function_a_, a.offset), a.number, TracePair::Name(pair_.a), b.number, TracePair::Name(pair_.b)));
  }

  void CompareAttributes(const Expr& a, const Expr& b) {
    const std::string first = GlobalName(a);
    const std::string second = GlobalName(b);
    if (first.empty() != second.empty()) RefuseExprs(a, b);
    if (first.empty()) {
      if (a.text != b.text) RefuseExprs(a, b);
      return Compare(a.operands[0], b.operands[0]);
    }
    const Pickled* constant = ConstantOf(*pair_.a.program, first);
    const Pickled* other = ConstantOf(*pair_.b.program, second);
    // The printer numbers constants in the order of their first use, so one may have two names. So compare their
    // contents.
    if (constant && other) return CompareConstants(a, *constant, *other);
    if (WithoutMangling(first) != WithoutMangling(second)) RefuseExprs(a, b);
    const auto function = pair_.a.program->functions.find(first);
    const auto twin = pair_.b.program->functions.find(second);
    if (function != pair_.a.program->functions.end() && twin != pair_.b.program->functions.end())
      CompareFunctions(function->second, twin->second);
  }

  static const Pickled* ConstantOf(const Program& program, std::string_view name) {
    constexpr std::string_view kPrefix = "CONSTANTS.c";
    if (!name.starts_with(kPrefix)) return nullptr;
    size_t index = 0;
    const char* end = name.data() + name.size();
    const auto [stop, code] = std::from_chars(name.data() + kPrefix.size(), end, index);
    return code == std::errc() && stop == end && index < program.constants.size() ? program.constants[index].get()
                                                                                  : nullptr;
  }

  void CompareConstants(const Expr& at, const Pickled& a, const Pickled& b) {
    const auto* first = std::get_if<Pickled::Tensor>(&a.v);
    const auto* second = std::get_if<Pickled::Tensor>(&b.v);
    if (!first || !second || !first->data || !second->data) return objects_.Compare(a, b, at.text);
    if (ir::SameBytes(*first->data, *second->data)) return;
    TracePair::Refuse(
        fmt::format("a constant tensor of {} at {} ({}[{}]) is another one in {} than in {}; make it with operators "
                    "of the sizes of the inputs",
                    op_, Place(*function_a_, at.offset), ir::Name(first->data->dtype),
                    fmt::join(first->data->shape, ", "), TracePair::Name(pair_.a), TracePair::Name(pair_.b)));
  }

  TracePair pair_;
  ObjectComparison objects_;
  std::set<std::pair<const void*, const void*>> seen_code_;
  const Function* function_a_ = nullptr;  // the functions to compare
  const Function* function_b_ = nullptr;
  int calls_ = 0;
  Names names_;
  std::string op_;  // the enclosing call
  Others others_;
};

}  // namespace

void FailNoSuchAxis(const std::string& name) {
  throw Error(Code::kTracesDoNotFit, fmt::format("no axis is called `{}`, whose size is given", name));
}

DifferentNumbers CompareTraces(const std::vector<TracedProgram>& traces) {
  DifferentNumbers numbers;
  std::vector<Comparison::Others> all;
  for (size_t i = 1; i < traces.size(); ++i) all.push_back(Comparison(traces[0], traces[i]).Run());
  for (const Comparison::Others& others : all) {
    // Each integer that differs in some trace, with its values in all traces.
    for (const auto& [expr, other] : others) {
      const auto [found, is_new] = numbers.try_emplace(expr, DifferentNumber{{expr->integer}, other.op});
      if (!is_new) continue;
      for (const Comparison::Others& in : all) {
        const auto same_place = in.find(expr);
        found->second.seen.push_back(same_place == in.end() ? expr->integer : same_place->second.number);
      }
    }
  }
  return numbers;
}

}  // namespace onnxport::torchscript
