// Learns from conditions about the names in them.
#include <algorithm>
#include <optional>

#include "codegen/check/evaluator.h"
#include "runtime/ir/dtype.h"

namespace onnxport::codegen {
namespace {

std::optional<ir::DTypeSet> DTypesAsked(Builtin function) {
  switch (function) {
    case Builtin::kIsInt:
      return kIntTypes;
    case Builtin::kIsFloat:
      return kFloatTypes;
    case Builtin::kIsBool:
      return kBoolType;
    case Builtin::kIsComplex:
      return kComplexTypes;
    default:
      return std::nullopt;
  }
}

// `dtype(x)` -> "x"
const std::string* DTypeOfName(const Expr& expr) {
  const bool asks = expr.Is(Builtin::kDType) && expr.operands.size() == 1 && expr.operands[0]->kind == ExprKind::kName;
  return asks ? &expr.operands[0]->text : nullptr;
}

// `float32` or `[int64, int32]`; nothing when something else is in it.
std::optional<ir::DTypeSet> DTypeWords(const Expr& expr) {
  ir::DTypeSet dtypes;
  const auto add = [&](const Expr& word) {
    if (word.kind == ExprKind::kDType) dtypes.Add(word.dtype);
    return word.kind == ExprKind::kDType;
  };
  if (expr.kind != ExprKind::kList) return add(expr) ? std::optional(dtypes) : std::nullopt;
  const bool all = std::ranges::all_of(expr.operands, [&](const ExprPtr& item) { return add(*item); });
  return all ? std::optional(dtypes) : std::nullopt;
}

}  // namespace

// A fact is learned only if it holds for every value for which the condition has this truth. Where that is not sure,
// nothing is learned, which only means that fewer mistakes are found.
void Evaluator::Assume(const ExprPtr& condition, bool truth, Environment& names) {
  if (!condition) return;
  const Expr& expr = *condition;
  if (expr.Is(Operator::kNot)) return Assume(expr.operands[0], !truth, names);
  if (expr.kind == ExprKind::kLogic) {
    if (truth != (expr.op == Operator::kAnd)) return;  // one of the two, unknown which
    Assume(expr.operands[0], truth, names);
    return Assume(expr.operands[1], truth, names);
  }
  if (expr.kind == ExprKind::kBuiltin) return AssumeCall(expr, truth, names);
  if (expr.kind == ExprKind::kComparison) return AssumeComparison(expr, truth, names);
  if (expr.kind != ExprKind::kName || !names.Find(expr.text)) return;
  const Kind kind = Name(expr, names);
  if (truth)
    names.Learn(expr.text, kind.Without(Kind::kNone));
  else
    names.Learn(expr.text, kind.Without(Kind::kTensor));  // a tensor is there, so it is true
}

void Evaluator::AssumeCall(const Expr& expr, bool truth, Environment& names) {
  if (expr.operands.size() != 1 || expr.operands[0]->kind != ExprKind::kName) return;
  const std::string& name = expr.operands[0]->text;
  if (!names.Find(name)) return;
  if (expr.builtin == Builtin::kPresent) {
    Kind kind = Name(*expr.operands[0], names);
    // Both ways: `present(w)` false means that `w` is None, so `w` is usable as an absent input in the other arm.
    kind.bits = truth ? kind.bits & ~Kind::kNone : kind.bits & Kind::kNone;
    names.Learn(name, kind);
  } else if (expr.builtin == Builtin::kIsStatic && truth) {
    // Only where it holds: then no node computes the size. Where it does not, nothing is taken away.
    names.Learn(name, Name(*expr.operands[0], names).Without(Kind::kSize));
  } else if (const auto asked = DTypesAsked(expr.builtin)) {
    Restrict(name, *asked, truth, names);
  }
}

void Evaluator::AssumeComparison(const Expr& expr, bool truth, Environment& names) {
  const bool in = expr.op == Operator::kIn || expr.op == Operator::kEqual;
  const bool not_in = expr.op == Operator::kNotIn || expr.op == Operator::kNotEqual;
  if (!in && !not_in) return;
  // `dtype(x) != bool` that is false is equivalent to `dtype(x) == bool`.
  const bool holds = truth == in;
  if (const std::string* name = DTypeOfName(*expr.operands[0])) {
    const auto words = DTypeWords(*expr.operands[1]);
    if (words && names.Find(*name)) Restrict(*name, *words, holds, names);
    return;
  }
  const bool none = expr.operands[0]->kind == ExprKind::kName && expr.operands[1]->kind == ExprKind::kNone;
  if (!none || !names.Find(expr.operands[0]->text)) return;
  Kind kind = Name(*expr.operands[0], names);
  kind.bits = holds ? kind.bits & Kind::kNone : kind.bits & ~Kind::kNone;
  names.Learn(expr.operands[0]->text, kind);
}

void Evaluator::Restrict(const std::string& name, ir::DTypeSet dtypes, bool keep, Environment& names) {
  Expr expr;
  expr.kind = ExprKind::kName;
  expr.text = name;
  Kind kind = Name(expr, names);
  if (!kind.Only(Kind::kTensor | Kind::kNone)) return;  // a dtype or a number
  kind.dtypes = keep ? kind.dtypes & dtypes : kind.dtypes - dtypes;
  names.Learn(name, kind);
  // After `promote: {of: [self, other]}`, `dtype(self) == bool` implies it for `other`.
  if (!names.promoted().contains(name)) return;
  for (const std::string& other : names.promoted()) {
    if (other == name || !names.Find(other)) continue;
    expr.text = other;
    Kind same = Name(expr, names);
    same.dtypes = same.dtypes & kind.dtypes;
    names.Learn(other, same);
  }
}

}  // namespace onnxport::codegen
