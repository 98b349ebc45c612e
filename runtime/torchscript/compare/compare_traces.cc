#include "runtime/torchscript/compare/compare_traces.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

#include "runtime/base/error.h"
#include "runtime/base/interruption.h"
#include "runtime/fit/number_fit.h"
#include "runtime/ir/location.h"
#include "runtime/ir/same_bytes.h"
#include "runtime/torchscript/syntax/dotted_name.h"
#include "runtime/torchscript/syntax/parser.h"

namespace onnxport::torchscript {
namespace {

constexpr size_t kMostText = 120;  // of code, in messages
constexpr int kMostCalls = 200;    // of functions in functions, as the interpreter has it

// Numbers that tell classes of one name apart in a process, and differ from trace to trace.
std::string WithoutMangling(std::string_view name) {
  constexpr std::string_view kMark = "___torch_mangle_";
  std::string plain;
  for (size_t at = 0; at <= name.size();) {
    const size_t end = std::min(name.find('.', at), name.size());
    const std::string_view part = name.substr(at, end - at);
    if (!part.starts_with(kMark)) plain += (plain.empty() ? "" : ".") + std::string(part);
    at = end + 1;
  }
  return plain;
}

std::string Cut(std::string text) {
  if (text.size() > kMostText) text = text.substr(0, kMostText) + "...";
  return text;
}

// Variables of two functions: LibTorch's printer numbers temporary ones.
class Names {
 public:
  // The first names stay.
  void Define(const std::string& a, const std::string& b) {
    to_.try_emplace(a, b);
    from_.try_emplace(b, a);
  }
  // What is no variable has one name in both.
  bool AreOne(const std::string& a, const std::string& b) const {
    const auto to = to_.find(a);
    const auto from = from_.find(b);
    if (to == to_.end() || from == from_.end()) return to == to_.end() && from == from_.end() && a == b;
    return to->second == b && from->second == a;
  }

 private:
  std::unordered_map<std::string, std::string> to_;
  std::unordered_map<std::string, std::string> from_;
};

// Walks the modules and the code of two traces together.
class Comparison {
 public:
  Comparison(const TracedProgram& a, const TracedProgram& b) : a_(a), b_(b) {}

  // Integers of the first that are others in the second, and the call that each is an argument of.
  struct Other {
    int64_t number;
    std::string op;
  };
  using Others = std::unordered_map<const Expr*, Other>;

  Others Run() {
    Compare(*a_.program->module, *b_.program->module, "");
    return std::move(others_);
  }

 private:
  [[noreturn]] void Refuse(const std::string& what) const {
    throw Error(ErrorKind::kCannotExport, fmt::format("the axes cannot be free: {}", what));
  }

  // "a.pt (batch=2, seq=10)"
  static std::string Name(const TracedProgram& trace) {
    const std::string sizes = fit::SizesText(trace.sizes);
    return trace.program->archive->name() + (sizes.empty() ? "" : " (" + sizes + ")");
  }

  // ---- objects

  // Depth is bounded by kMaxPickleDepth.
  void Compare(const Pickled& a, const Pickled& b, const std::string& path) {
    if (!seen_objects_.emplace(&a, &b).second) return;
    Interruption::Check();
    if (a.v.index() != b.v.index()) RefuseValue(path);
    std::visit([&](const auto& held) { CompareHeld(held, std::get<std::decay_t<decltype(held)>>(b.v), path); }, a.v);
  }

  [[noreturn]] void RefuseValue(const std::string& path) const {
    Refuse(fmt::format("'{}' is not the same in {} and {}: trace one model, in eval mode, with the same weights", path,
                       Name(a_), Name(b_)));
  }

  static std::string Below(const std::string& path, const std::string& name) {
    return path.empty() ? name : path + "." + name;
  }

  void Compare(const PickledPtr& a, const PickledPtr& b, const std::string& path) {
    if (!a != !b) RefuseValue(path);
    if (a) Compare(*a, *b, path);
  }

  void CompareHeld(const Pickled::Tensor& a, const Pickled::Tensor& b, const std::string& path) {
    const auto same_quantizer = [&] {
      if (!a.quantizer || !b.quantizer) return !a.quantizer && !b.quantizer;
      return a.quantizer->scales == b.quantizer->scales && a.quantizer->zero_points == b.quantizer->zero_points &&
             a.quantizer->is_whole == b.quantizer->is_whole && a.quantizer->per_byte == b.quantizer->per_byte &&
             a.quantizer->axis == b.quantizer->axis;
    };
    if (!a.data != !b.data || (a.data && !ir::SameBytes(*a.data, *b.data)) || !same_quantizer()) RefuseValue(path);
  }

  void CompareAll(const PickledList& a, const PickledList& b, const std::string& path) {
    if (a.size() != b.size()) RefuseValue(path);
    for (size_t i = 0; i < a.size(); ++i) Compare(a[i], b[i], Below(path, std::to_string(i)));
  }
  void CompareHeld(const Pickled::List& a, const Pickled::List& b, const std::string& path) {
    CompareAll(a.items, b.items, path);
  }
  void CompareHeld(const Pickled::Tuple& a, const Pickled::Tuple& b, const std::string& path) {
    CompareAll(a.items, b.items, path);
  }
  void CompareHeld(const Pickled::Dict& a, const Pickled::Dict& b, const std::string& path) {
    if (a.items.size() != b.items.size()) RefuseValue(path);
    for (size_t i = 0; i < a.items.size(); ++i) {
      const auto& [key, item] = a.items[i];
      const auto* name = key ? std::get_if<std::string>(&key->v) : nullptr;
      Compare(key, b.items[i].first, path);
      Compare(item, b.items[i].second, Below(path, name ? *name : std::to_string(i)));
    }
  }
  void CompareHeld(const Pickled::Object& a, const Pickled::Object& b, const std::string& path) {
    CompareClasses(a.type, b.type, path);
    Compare(a.state, b.state, path);
  }
  void CompareHeld(const Pickled::Enum& a, const Pickled::Enum& b, const std::string& path) {
    Compare(a.value, b.value, path);
  }
  void CompareHeld(const Pickled::Device& a, const Pickled::Device& b, const std::string& path) {
    if (a.text != b.text) RefuseValue(path);
  }
  void CompareHeld(double a, double b, const std::string& path) {
    if (a != b && !(std::isnan(a) && std::isnan(b))) RefuseValue(path);
  }
  template <typename Held>
  void CompareHeld(const Held& a, const Held& b, const std::string& path) {
    if (a != b) RefuseValue(path);
  }

  // ---- code

  void CompareClasses(const std::string& a, const std::string& b, const std::string& path) {
    const auto first = a_.program->classes.find(a);
    const auto second = b_.program->classes.find(b);
    const bool in_first = first != a_.program->classes.end();
    const bool in_second = second != b_.program->classes.end();
    if (WithoutMangling(a) != WithoutMangling(b)) RefuseValue(path);
    if (in_first != in_second) {
      Refuse(fmt::format("{} has no code of '{}', of class {}: its archive is not whole, or of another model",
                         Name(in_first ? b_ : a_), path, in_first ? b : a));
    }
    if (!in_first || !seen_code_.emplace(&*first, &*second).second) return;
    for (const Function& method : first->second.methods) {
      const Function* other = second->second.FindMethod(method.name);
      if (!other) RefuseValue(Below(path, method.name));
      CompareFunctions(method, *other);
    }
  }

  void CompareFunctions(const Function& a, const Function& b) {
    if (!seen_code_.emplace(&a, &b).second) return;
    if (++calls_ > kMostCalls) Refuse(fmt::format("calls are nested more than {} deep", kMostCalls));
    const std::pair outer = {std::exchange(function_a_, &a), std::exchange(function_b_, &b)};
    const std::string outer_op = std::exchange(op_, "");
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
    const ir::Location at = function.file->Locate(offset);
    return at.line ? fmt::format("{}:{}", at.file, at.line) : at.file;
  }

  [[noreturn]] void RefuseCode(Offset a, const std::string& first, Offset b, const std::string& second) const {
    Refuse(
        fmt::format("the program does other things at other sizes: at {} `{}` in {}, at {} `{}` in {}; a loop over "
                    "an axis or a branch on a size has to be scripted, or the axis given a number",
                    Place(*function_a_, a), Cut(first), Name(a_), Place(*function_b_, b), Cut(second), Name(b_)));
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
    Refuse(
        fmt::format("the program does other things at other sizes: only {} has `{}` at {}; a loop over an axis or a "
                    "branch on a size has to be scripted, or the axis given a number",
                    Name(longer ? a_ : b_), Cut(ToText(extra.value)), Place(function, extra.offset)));
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
    Refuse(
        fmt::format("an argument of {} at {} was {} in {} and {} in {}: of numbers with a point nothing is computed; "
                    "make it with operators of the sizes of the inputs",
                    op_, Place(*function_a_, a.offset), a.number, Name(a_), b.number, Name(b_)));
  }

  void CompareAttributes(const Expr& a, const Expr& b) {
    const std::string first = DottedNameOf(a);
    const std::string second = DottedNameOf(b);
    if (first.empty() != second.empty()) RefuseExprs(a, b);
    if (first.empty()) {
      if (a.text != b.text) RefuseExprs(a, b);
      return Compare(a.operands[0], b.operands[0]);
    }
    const Pickled* constant = ConstantOf(*a_.program, first);
    const Pickled* other = ConstantOf(*b_.program, second);
    if (constant && other) return CompareConstants(a, *constant, *other);
    if (WithoutMangling(first) != WithoutMangling(second)) RefuseExprs(a, b);
    const auto function = a_.program->functions.find(first);
    const auto twin = b_.program->functions.find(second);
    if (function != a_.program->functions.end() && twin != b_.program->functions.end())
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
    if (!first || !second || !first->data || !second->data) return Compare(a, b, at.text);
    if (ir::SameBytes(*first->data, *second->data)) return;
    Refuse(
        fmt::format("a constant tensor of {} at {} ({}[{}]) is another one in {} than in {}; make it with operators "
                    "of the sizes of the inputs",
                    op_, Place(*function_a_, at.offset), ir::Name(first->data->dtype),
                    fmt::join(first->data->shape, ", "), Name(a_), Name(b_)));
  }

  const TracedProgram& a_;
  const TracedProgram& b_;
  std::set<std::pair<const void*, const void*>> seen_objects_;
  std::set<std::pair<const void*, const void*>> seen_code_;
  const Function* function_a_ = nullptr;  // that are being compared
  const Function* function_b_ = nullptr;
  int calls_ = 0;
  Names names_;
  std::string op_;  // the call around
  Others others_;
};

}  // namespace

DifferentNumbers CompareTraces(const std::vector<TracedProgram>& traces) {
  DifferentNumbers numbers;
  std::vector<Comparison::Others> all;
  for (size_t i = 1; i < traces.size(); ++i) all.push_back(Comparison(traces[0], traces[i]).Run());
  for (const Comparison::Others& others : all) {
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
