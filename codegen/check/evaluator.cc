#include "codegen/check/evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "codegen/check/literals.h"
#include "runtime/ir/dtype.h"

namespace onnxport::codegen {
namespace {

constexpr int kDeepest = 1000;
constexpr DTypes kInt64 = {ir::DType::kInt64};

}  // namespace

Kind Evaluator::Evaluate(const ExprPtr& expr, Environment& names) {
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
    case ExprKind::kName:
      return Name(*expr, names);
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
  Environment inner = of_entry && entry_ ? *entry_ : Environment();
  for (size_t i = 0; i < def.params.size() && i < call.operands.size(); ++i)
    inner.Define(def.params[i], {.kind = Evaluate(call.operands[i], names), .let = nullptr, .item = -1});
  for (const Let& let : def.lets)
    for (size_t i = 0; i < let.names.size(); ++i)
      inner.Define(let.names[i],
                   {.kind = {}, .let = let.value, .item = let.names.size() > 1 ? static_cast<int>(i) : -1});
  return Evaluate(def.value, inner);
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

Kind Evaluator::CallBuiltin(const Expr& expr, const std::vector<Kind>& args) {
  const std::string_view name = InfoOf(expr.builtin).name;
  const Kind first = args.empty() ? AnyKind() : args[0];
  const auto needs = [&](uint16_t bits, const char* what) {
    if (!first.May(bits) && !first.unknown())
      Issue(expr.operands[0]->place, fmt::format("`{}` needs {}, here is {}", name, what, ToText(first)));
  };
  if (name == "rank" || name == "dims" || name == "dim" || name == "static_dims" || name == "numel") {
    needs(Kind::kTensor, "a tensor");
    if (name == "rank") return Of(Kind::kInt);
    const Kind size = Of(name == "static_dims" ? Kind::kInt : Kind::kInt | Kind::kSize);
    return name == "dims" || name == "static_dims" ? ListOf(size) : size;
  }
  if (name == "cast") return Cast(expr, args);
  if (name == "const") return TensorKind(args[1].May(Kind::kTensor) ? args[1].dtypes : kTensorTypes);
  if (name == "ints") return TensorKind(kInt64);
  if (name == "as_complex") return TensorKind(kComplexTypes);
  if (name == "as_real") return TensorKind(kFloatTypes);
  if (name == "dtype") return Of(Kind::kDType);
  if (name == "len" || name == "int" || name == "floor" || name == "ceil" || name == "axis" ||
      name.starts_with("iinfo"))
    return Of(Kind::kInt);
  if (name == "float" || name.starts_with("finfo")) return Of(Kind::kFloat);
  if (name == "range") return ListOf(Of(Kind::kInt));
  if (name == "refuse") {
    needs(Kind::kText, "the reason as text");
    return Of(0);  // gives nothing: joins with anything
  }
  if (name == "sqrt" || name == "exp" || name == "log") {
    Kind kind = first.May(Kind::kTensor) ? TensorKind(first.dtypes) : Of(0);
    if (first.May(Kind::kNumber)) kind.bits |= Kind::kFloat;
    if (first.May(Kind::kSize)) kind = Join(kind, TensorKind(kFloatTypes));
    return kind;
  }
  if (name == "zip" || name == "enumerate") {
    const Kind left = name == "zip" ? first.Element() : Of(Kind::kInt);
    const Kind right = name == "zip" ? args[1].Element() : first.Element();
    return ListOf(ItemsOf({left, right}));
  }
  if (name == "min" || name == "max") return args.size() > 1 ? Join(first, args[1]) : first.Element();
  if (name == "sum" || name == "product") return first.Element();
  if (name == "spread") return first.May(Kind::kList) ? ListOf(first.Element()) : ListOf(first.Without(Kind::kNone));
  if (name == "abs") return first;
  if (InfoOf(expr.builtin).returns_bool) return Of(Kind::kBool);
  needs(Kind::kList, "a list");  // swap, sorted, without ...
  Kind list = first;
  list.items.clear();
  return list;
}

Kind Evaluator::Cast(const Expr& expr, const std::vector<Kind>& args) {
  const Kind& value = args[0];
  const Kind& to = args[1];
  if (!value.May(Kind::kTensor | Kind::kNumber | Kind::kNone))
    Issue(expr.operands[0]->place, fmt::format("`cast` needs a tensor or a number, here is {}", ToText(value)));
  if (!to.May(Kind::kDType | Kind::kTensor | Kind::kNone))
    Issue(expr.operands[1]->place,
          fmt::format("`cast` goes to a dtype or the dtype of a tensor, here is {}", ToText(to)));
  const Expr& word = *expr.operands[1];
  Kind result = value;
  DTypes dtypes;
  if (word.kind == ExprKind::kDType)
    dtypes = {word.dtype};
  else if (to.May(Kind::kDType))
    dtypes = kTensorTypes;
  if (to.May(Kind::kTensor)) dtypes = dtypes | to.dtypes;
  if (to.May(Kind::kNone)) dtypes = dtypes | value.dtypes;
  result.dtypes = dtypes;
  if (value.May(Kind::kNumber)) result.bits |= Kind::kTensor;
  return result;
}

Kind Evaluator::Conditional(const Expr& expr, Environment& names) {
  Evaluate(expr.operands[1], names);
  Environment when_true = names;
  Assume(expr.operands[1], true, when_true);
  Environment when_false = names;
  Assume(expr.operands[1], false, when_false);
  if (when_true.impossible()) return Evaluate(expr.operands[2], when_false);
  const Kind yes = Evaluate(expr.operands[0], when_true);
  return when_false.impossible() ? yes : Join(yes, Evaluate(expr.operands[2], when_false));
}

Kind Evaluator::Logic(const Expr& expr, Environment& names) {
  const bool is_or = expr.op == Operator::kOr;
  const Kind a = Evaluate(expr.operands[0], names);
  Environment then = names;
  Assume(expr.operands[0], !is_or, then);
  if (then.impossible()) return a;
  const Kind b = Evaluate(expr.operands[1], then);
  if (a.Only(Kind::kTensor)) return is_or ? a : b;  // present, so true
  return Join(is_or ? a.Without(Kind::kNone) : a, b);
}

Kind Evaluator::Comparison(const Expr& expr, Environment& names) {
  Evaluate(expr.operands[0], names);
  const Kind b = Evaluate(expr.operands[1], names);
  if ((expr.op == Operator::kIn || expr.op == Operator::kNotIn) && !b.May(Kind::kList))
    Issue(expr.place, fmt::format("`{}` looks into a list, here is {}", InfoOf(expr.op).text, ToText(b)));
  return Of(Kind::kBool);
}

Kind Evaluator::Arithmetic(const Expr& expr, const Kind& a, const Kind& b) {
  constexpr uint16_t kValues = Kind::kTensor | Kind::kNumber;
  const std::string_view op = InfoOf(expr.op).text;
  if (a.unknown() || b.unknown()) return AnyKind();
  if (a.May(Kind::kList) || b.May(Kind::kList)) {
    const bool joins = expr.op == Operator::kAdd && a.May(Kind::kList) && b.May(Kind::kList);
    const bool repeats = expr.op == Operator::kMultiply && (a.May(Kind::kNumber) || b.May(Kind::kNumber));
    if (a.Only(Kind::kList) || b.Only(Kind::kList)) {
      if (!joins && !repeats) Issue(expr.place, fmt::format("`{}` of {} and {}", op, ToText(a), ToText(b)));
      Kind list = joins ? Join(a, b) : a.May(Kind::kList) ? a : b;
      list.bits = Kind::kList;
      list.items.clear();
      return list;
    }
    return AnyKind();
  }
  const auto fits = [&](const Kind& side) { return side.May(kValues) && !side.May(Kind::kNone); };
  if (!fits(a) || !fits(b)) {
    const bool unary = expr.kind == ExprKind::kUnary;
    Issue(expr.place, unary ? fmt::format("`{}` of {}", op, ToText(b))
                            : fmt::format("`{}` of {} and {}", op, ToText(a), ToText(b)));
    return AnyKind();
  }
  Kind result = Of(0);
  if (a.May(Kind::kTensor) || b.May(Kind::kTensor)) {
    const bool both = a.Only(Kind::kTensor) && b.Only(Kind::kTensor);
    const DTypes dtypes = both                    ? a.dtypes & b.dtypes
                          : a.Only(Kind::kTensor) ? a.dtypes
                          : b.Only(Kind::kTensor) ? b.dtypes
                                                  : a.dtypes | b.dtypes;
    if (dtypes.empty())
      Issue(expr.place,
            fmt::format("no type fits both sides of `{}`: {} and {}", op, a.dtypes.ToString(), b.dtypes.ToString()));
    result = TensorKind(dtypes.empty() ? kTensorTypes : dtypes);
  }
  if (a.May(Kind::kNumber) && b.May(Kind::kNumber)) {
    result.bits |= (a.bits | b.bits) & (Kind::kInt | Kind::kFloat | Kind::kSize);
    if (expr.op == Operator::kDivide || expr.op == Operator::kPower) result.bits |= Kind::kFloat;
    if ((a.bits | b.bits) & Kind::kBool) result.bits |= Kind::kInt;
  }
  return result;
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
    const Kind kind = !several ? element : i < element.items.size() ? element.items[i] : element.Element();
    inner.Define(expr.names[i], {.kind = kind, .let = nullptr, .item = -1});
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
  if (!at.May(Kind::kInt)) Issue(index.place, fmt::format("an index is an int, here is {}", ToText(at)));
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
