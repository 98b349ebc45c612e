#include "codegen/check/evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "codegen/specialize/literals.h"

namespace onnxport::codegen {
namespace {

constexpr int kDeepest = 1000;

}  // namespace

Kind Evaluator::Evaluate(const ExprPtr& expr, Environment& names) {
  // The budget stops files that are made to be hard. Twenty definitions that call each other twice cause a million
  // evaluations, because each call is evaluated with the kinds of its arguments.
  if (!expr || --budget_ < 0) return AnyKind();
  if (budget_ == 0) Issue(expr->place, "too much to check: defs that call defs over and over");
  if (depth_ > kDeepest) {
    Issue(expr->place, "nested too deep, lets and defs followed");
    return AnyKind();
  }
  ++depth_;
  const Kind kind = EvaluateKind(expr, names);
  --depth_;
  return kind;
}

Kind Evaluator::EvaluateKind(const ExprPtr& expr, Environment& names) {
  if (IsLiteral(*expr)) return KindOfLiteral(*expr);
  switch (expr->kind) {
    case ExprKind::kName: {
      const Kind kind = Name(*expr, names);
      if (context_.seen != nullptr) context_.seen->Add(*expr, context_.opset, kind);
      return kind;
    }
    case ExprKind::kDType:
      return Of(Kind::kDType);
    case ExprKind::kNode:
      return Node(*expr, names);
    case ExprKind::kBuiltin:
    case ExprKind::kCall:
      return Call(expr, names);
    case ExprKind::kList:
      return List(*expr, names);
    case ExprKind::kComprehension:
      return Comprehension(*expr, names);
    case ExprKind::kConditional:
      return Conditional(*expr, names);
    case ExprKind::kUnary: {
      // `-x` is like 0 - x: a bool becomes an int, a tensor stays one.
      const Kind operand = Evaluate(expr->operands[0], names);
      return expr->op == Operator::kNot ? Of(Kind::kBool) : Arithmetic(*expr, Of(Kind::kInt), operand);
    }
    case ExprKind::kLogic:
      return Logic(*expr, names);
    case ExprKind::kComparison:
      return Comparison(*expr, names);
    case ExprKind::kArithmetic: {
      const Kind a = Evaluate(expr->operands[0], names);
      return Arithmetic(*expr, a, Evaluate(expr->operands[1], names));
    }
    case ExprKind::kIndex:
      return Index(*expr, names);
    case ExprKind::kSlice: {
      Kind list = Evaluate(expr->operands[0], names);
      if (!list.May(Kind::kList))
        Issue(expr->place, fmt::format("only lists have slices `[a:b]`, here is {}", ToText(list)));
      // Which items are left is not known, only what they may be.
      list.items.clear();
      return list;
    }
    default:
      return AnyKind();
  }
}

Kind Evaluator::Name(const Expr& expr, Environment& names) {
  if (const Kind* known = names.Known(expr.text)) return *known;
  const Environment::Name* name = names.Find(expr.text);
  if (!name) return AnyKind();  // reported by the name check
  if (!name->let) return name->kind;
  Kind kind = Evaluate(name->let, names);
  if (name->item >= 0) {
    const auto item = static_cast<size_t>(name->item);
    if (!kind.May(Kind::kList) && !kind.unknown())
      Issue(name->let->place, fmt::format("several names need a list of results, here is {}", ToText(kind)));
    else if (!kind.items.empty() && item >= kind.items.size())
      Issue(name->let->place, fmt::format("`{}` is result {} of {}", expr.text, item + 1, kind.items.size()));
    kind = item < kind.items.size() ? kind.items[item] : kind.Element();
  }
  names.Remember(expr.text, kind);
  return kind;
}

Kind Evaluator::Call(const ExprPtr& expr, Environment& names) {
  const auto in_entry = std::ranges::find(entry_defs_, expr->text, &Def::name);
  if (in_entry != entry_defs_.end()) return CallDef(*in_entry, *expr, names, true);
  const auto in_file = std::ranges::find(file_defs_, expr->text, &Def::name);
  if (in_file != file_defs_.end()) return CallDef(*in_file, *expr, names, false);
  std::vector<Kind> args;
  for (const ExprPtr& operand : expr->operands) args.push_back(Evaluate(operand, names));
  return CallBuiltin(*expr, args);
}

Kind Evaluator::CallDef(const Def& def, const Expr& call, Environment& names, bool of_entry) {
  // A definition of the entry sees its arguments and lets; one of the file sees its parameters only.
  Environment inner = of_entry && entry_ ? *entry_ : Environment();
  for (size_t i = 0; i < def.params.size() && i < call.operands.size(); ++i)
    inner.DefineValue(def.params[i], Evaluate(call.operands[i], names));
  inner.DefineLets(def.lets);
  if (def.repetition) Repeat(*def.repetition, inner);
  return Evaluate(def.cases[0].body.emit[0], inner);
}

Kind Evaluator::Node(const Expr& expr, Environment& names) {
  std::vector<Operand> operands;
  for (const ExprPtr& operand : expr.operands) {
    const bool splat = operand->kind == ExprKind::kStar;
    const ExprPtr& value = splat ? operand->operands[0] : operand;
    operands.push_back({value, Evaluate(value, names), splat});
  }
  for (const auto& [name, value] : expr.named) operands.push_back({value, Evaluate(value, names), false, name});
  return CheckNode(expr, operands, context_);
}

Kind Evaluator::Conditional(const Expr& expr, Environment& names) {
  Evaluate(expr.operands[1], names);
  Environment when_true = names;
  Assume(expr.operands[1], true, when_true);
  Environment when_false = names;
  Assume(expr.operands[1], false, when_false);
  // So `Gather(x, w) if present(w) else x` is no mistake where `w` is None, though Gather would need it.
  if (when_true.impossible()) return Evaluate(expr.operands[2], when_false);
  const Kind yes = Evaluate(expr.operands[0], when_true);
  return when_false.impossible() ? yes : Join(yes, Evaluate(expr.operands[2], when_false));
}

Kind Evaluator::Logic(const Expr& expr, Environment& names) {
  const bool is_or = expr.op == Operator::kOr;
  const Kind a = Evaluate(expr.operands[0], names);
  Environment then = names;
  // The second side is evaluated when the first does not decide: in `present(w) and dim(w, 0) == 1`, `w` is there.
  Assume(expr.operands[0], !is_or, then);
  if (then.impossible()) return a;
  const Kind b = Evaluate(expr.operands[1], then);
  if (a.Only(Kind::kTensor)) return is_or ? a : b;  // present, so true
  // `dtype or float32`: the first side is the result only where it is true, and None is not.
  return Join(is_or ? a.Without(Kind::kNone) : a, b);
}

Kind Evaluator::List(const Expr& expr, Environment& names) {
  std::vector<Kind> items;
  bool fixed = true;
  for (const ExprPtr& operand : expr.operands) {
    const bool splat = operand->kind == ExprKind::kStar;
    const Kind kind = Evaluate(splat ? operand->operands[0] : operand, names);
    if (splat && !kind.May(Kind::kList))
      Issue(operand->place, fmt::format("`*` needs a list, here is {}", ToText(kind)));
    fixed = fixed && !splat;
    items.push_back(splat ? kind.Element() : kind);
  }
  Kind list = ItemsOf(std::move(items));
  if (!fixed) list.items.clear();
  return list;
}

Kind Evaluator::Comprehension(const Expr& expr, Environment& names) {
  const Kind list = Evaluate(expr.operands[1], names);
  if (!list.May(Kind::kList))
    Issue(expr.operands[1]->place, fmt::format("`for ... in` needs a list, here is {}", ToText(list)));
  Environment inner = names;
  const Kind element = list.Element();
  for (size_t i = 0; i < expr.names.size(); ++i) {
    const bool several = expr.names.size() > 1;
    // `for a, b in zip(xs, ys)`: each element is a list of two, whose kinds are known one by one.
    const Kind kind = !several ? element : i < element.items.size() ? element.items[i] : element.Element();
    inner.DefineValue(expr.names[i], kind);
  }
  if (expr.operands.size() > 2) {
    Evaluate(expr.operands[2], inner);
    Assume(expr.operands[2], true, inner);
  }
  return ListOf(Evaluate(expr.operands[0], inner));
}

Kind Evaluator::Index(const Expr& expr, Environment& names) {
  const Kind list = Evaluate(expr.operands[0], names);
  const Expr& index = *expr.operands[1];
  const Kind at = Evaluate(expr.operands[1], names);
  if (!at.May(Kind::kHostNumber)) Issue(index.place, fmt::format("an index is an int, here is {}", ToText(at)));
  if (list.unknown()) return AnyKind();
  if (!list.May(Kind::kList)) {
    const char* hint = list.May(Kind::kTensor) ? "; Gather or Slice take parts of tensors" : "";
    Issue(expr.place, fmt::format("only lists have elements `[i]`, here is {}{}", ToText(list), hint));
    return AnyKind();
  }
  if (index.kind == ExprKind::kInt && !list.items.empty()) {
    const auto count = static_cast<int64_t>(list.items.size());
    const int64_t i = index.int_value < 0 ? index.int_value + count : index.int_value;
    if (i >= 0 && i < count) return list.items[i];
    Issue(index.place, fmt::format("the list has {} elements", count));
  }
  return list.Element();
}

}  // namespace onnxport::codegen
