// The parameters and results of the language's functions, from the table that the runtime shares.
#include <fmt/format.h>

#include "codegen/check/evaluator.h"
#include "runtime/ir/dtype.h"

namespace onnxport::codegen {
namespace {

using lowering::BuiltinInfo;
using lowering::ResultRule;

constexpr ir::DTypeSet kInt64 = {ir::DType::kInt64};
constexpr ir::DTypeSet kFloat32 = {ir::DType::kFloat32};
constexpr uint16_t kIntOrSize = Kind::kInt | Kind::kSize;

// Arithmetic takes a bool for an int.
Kind BoolAsInt(Kind kind) {
  if (kind.bits & Kind::kBool) kind.bits = (kind.bits & ~Kind::kBool) | Kind::kInt;
  return kind;
}

// `b`, if `a` may be one of these kinds. A result is put together of what each possible kind of the argument gives:
// `float(x)` of an int or a tensor is Join(a float, a float tensor).
Kind If(const Kind& a, uint16_t bits, const Kind& b) { return (a.bits & bits) ? b : Of(0); }

Kind RealOf(const Kind& x) {
  const ir::DTypeSet others = x.dtypes - kFloatTypes;
  const ir::DTypeSet dtypes = (x.dtypes & kFloatTypes) | (others.empty() ? ir::DTypeSet() : kFloat32);
  return Join(Join(If(x, Kind::kHostNumber | Kind::kText, Of(Kind::kFloat)), If(x, Kind::kTensor, TensorKind(dtypes))),
              If(x, Kind::kSize, TensorKind(kFloat32)));
}

Kind WholeOf(const Kind& x) {
  return Join(Join(If(x, Kind::kHostNumber, Of(Kind::kInt)), If(x, Kind::kSize, Of(Kind::kSize))),
              If(x, Kind::kTensor, TensorKind(kInt64)));
}

Kind FunctionOf(const Kind& x) {
  return Join(Join(If(x, Kind::kHostNumber, Of(Kind::kFloat)), If(x, Kind::kTensor, TensorKind(x.dtypes))),
              If(x, Kind::kSize, TensorKind(kInt64)));
}

// A host number as a dtype; any, when it is not known which.
Kind NumberAs(ir::DTypeSet dtypes) {
  Kind kind = Of(0);
  if (!(dtypes & kBoolType).empty()) kind.bits |= Kind::kBool;
  if (!(dtypes & kIntTypes).empty()) kind.bits |= Kind::kInt;
  if (!(dtypes & (kFloatTypes | kComplexTypes)).empty()) kind.bits |= Kind::kFloat;
  return kind;
}

Kind CastTo(const Kind& value, const Kind& to, ir::DTypeSet dtypes) {
  if (value.unknown()) return AnyKind();
  Kind result = If(value, Kind::kNone, Of(Kind::kNone));
  result = Join(result, If(value, Kind::kHostNumber, NumberAs(dtypes)));
  result = Join(result, If(value, Kind::kTensor, TensorKind(dtypes)));
  result = Join(result, If(value, Kind::kSize, TensorKind(dtypes)));
  // A size is an int64 tensor already, so the cast may leave it as it is.
  if ((value.bits & Kind::kSize) && dtypes.Has(ir::DType::kInt64)) result.bits |= Kind::kSize;
  if (value.bits & Kind::kList) {
    Kind list = Of(Kind::kList);
    if (value.element) list = ListOf(CastTo(*value.element, to, dtypes));
    result = Join(result, list);
  }
  // cast(x, dtype) with `dtype` None is `x`.
  return to.May(Kind::kNone) ? Join(result, value) : result;
}

// The dtypes that `to` names, or has.
ir::DTypeSet DTypesOf(const Expr& expr, const Kind& to) {
  ir::DTypeSet dtypes;
  if (expr.kind == ExprKind::kDType)
    dtypes = {expr.dtype};
  else if (to.bits & Kind::kDType)
    dtypes = kTensorTypes | kComplexTypes;
  if (to.bits & Kind::kTensor) dtypes = dtypes | to.dtypes;
  if (to.bits & Kind::kBool) dtypes = dtypes | kBoolType;
  if (to.bits & (Kind::kInt | Kind::kSize)) dtypes = dtypes | kInt64;
  if (to.bits & Kind::kFloat) dtypes = dtypes | kFloat32;
  return dtypes;
}

Kind RepeatedOf(const Kind& x) {
  const Kind value = x.Without(Kind::kList);
  return Join(If(x, Kind::kList, ListOf(x.Element())), value.bits == 0 ? Of(0) : ListOf(value));
}

Kind ElementsOf(const Kind& list, const Kind* more = nullptr) {
  if (!list.element) return Of(Kind::kList);
  return ListOf(more ? Join(*list.element, *more) : *list.element);
}

}  // namespace

void Evaluator::CheckArguments(const Expr& expr, const std::vector<Kind>& args) {
  const BuiltinInfo& info = InfoOf(expr.builtin);
  const bool of_list_or_two = info.result == ResultRule::kElement;  // `min(list)`, `min(a, b)`
  for (size_t i = 0; i < args.size() && i < info.params.size(); ++i) {
    const lowering::BuiltinParam& param = info.params[i];
    const uint16_t list_or_two = args.size() == 1 ? uint16_t{Kind::kList} : uint16_t{Kind::kValue};
    const uint16_t takes = of_list_or_two ? list_or_two : param.takes;
    const Kind& arg = args[i];
    if (arg.unknown()) continue;
    // Only what cannot be right is reported: an argument that may also be something else than a list, or whose elements
    // nobody knows, passes.
    const bool elements_fit = !arg.Only(Kind::kList) || !arg.element || arg.element->May(param.elements);
    if (!arg.May(takes) || !elements_fit) {
      Kind wanted = Of(takes);
      if (param.elements != Kind::kAnything) wanted.element = std::make_shared<const Kind>(Of(param.elements));
      Issue(expr.operands[i]->place, fmt::format("`{}` needs {}, here is {}", info.name, ToText(wanted), ToText(arg)));
    }
  }
}

Kind Evaluator::CallBuiltin(const Expr& expr, const std::vector<Kind>& args) {
  CheckArguments(expr, args);
  const Kind first = args.empty() ? AnyKind() : args[0];
  const Kind second = args.size() < 2 ? AnyKind() : args[1];
  // By rules, as many functions share one: which has which is in lowering/dsl/builtin_table.h.
  switch (InfoOf(expr.builtin).result) {
    case ResultRule::kBool:
      return Of(Kind::kBool);
    case ResultRule::kInt:
      return Of(Kind::kInt);
    case ResultRule::kFloat:
      return Of(Kind::kFloat);
    case ResultRule::kDType:
      return Of(Kind::kDType);
    case ResultRule::kSize:
      return Of(kIntOrSize);
    case ResultRule::kInts:
      return ListOf(Of(Kind::kInt));
    case ResultRule::kTexts:
      return ListOf(Of(Kind::kText));
    case ResultRule::kSizes:
      return ListOf(Of(kIntOrSize));
    case ResultRule::kIndexTensor:
      return TensorKind(kInt64);
    case ResultRule::kRealTensor:
      return TensorKind(kFloatTypes);
    case ResultRule::kComplexTensor:
      return TensorKind(kComplexTypes);
    case ResultRule::kList:
      return ElementsOf(first);
    case ResultRule::kAppended:
      return ElementsOf(first, &second);
    case ResultRule::kRepeated:
      return RepeatedOf(first);
    case ResultRule::kPairs:
      return ListOf(ItemsOf({first.Element(), second.Element()}));
    case ResultRule::kNumbered:
      return ListOf(ItemsOf({Of(Kind::kInt), first.Element()}));
    case ResultRule::kFirst:
      return first;
    case ResultRule::kElement:
      return args.size() > 1 ? Join(first, second) : first.Element();
    case ResultRule::kTotal:
      return Join(BoolAsInt(first.Element()), Of(Kind::kInt));
    case ResultRule::kMagnitude:
      return BoolAsInt(first);
    case ResultRule::kFunction:
      return FunctionOf(first);
    case ResultRule::kWhole:
      return WholeOf(first);
    case ResultRule::kReal:
      return RealOf(first);
    case ResultRule::kCast:
      return CastTo(first, second, DTypesOf(*expr.operands[1], second));
    case ResultRule::kConstant:
      return TensorKind(DTypesOf(*expr.operands[1], second));
    case ResultRule::kNothing:
      return Of(0);  // joins with anything
  }
  return AnyKind();
}

}  // namespace onnxport::codegen
