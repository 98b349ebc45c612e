#include "tests/language/interpreter.h"

#include <stdexcept>

namespace onnxport::language {
namespace {

using codegen::Builtin;
using codegen::Expr;
using codegen::ExprKind;
using codegen::Operator;
using lowering::Val;
using lowering::Vals;

Val Call(lowering::Context& context, Builtin builtin, const Vals& a) {
  switch (builtin) {
    case Builtin::kRank:
      return lowering::rank(a[0]);
    case Builtin::kDim:
      return lowering::dim(a[0], a[1]);
    case Builtin::kDims:
      return lowering::dims(a[0]);
    case Builtin::kStaticDims:
      return lowering::static_dims(a[0]);
    case Builtin::kNumel:
      return lowering::numel(a[0]);
    case Builtin::kDType:
      return lowering::dtype(a[0]);
    case Builtin::kAsDType:
      return lowering::as_dtype(a[0]);
    case Builtin::kIsStatic:
      return lowering::is_static(a[0]);
    case Builtin::kPresent:
      return lowering::present(a[0]);
    case Builtin::kIsInt:
      return lowering::is_int(a[0]);
    case Builtin::kIsFloat:
      return lowering::is_float(a[0]);
    case Builtin::kIsBool:
      return lowering::is_bool(a[0]);
    case Builtin::kIsComplex:
      return lowering::is_complex(a[0]);
    case Builtin::kIsSequence:
      return lowering::is_sequence(a[0]);
    case Builtin::kAsComplex:
      return lowering::as_complex(a[0]);
    case Builtin::kAsReal:
      return lowering::as_real(a[0]);
    case Builtin::kCast:
      return lowering::cast(a[0], a[1]);
    case Builtin::kConst:
      return context.constant(a[0], a[1]);
    case Builtin::kShapeTensor:
      return context.shape_tensor(a[0]);
    case Builtin::kLen:
      return lowering::len(a[0]);
    case Builtin::kSplit:
      return lowering::split_text(a[0], a[1]);
    case Builtin::kCodes:
      return lowering::codes(a[0]);
    case Builtin::kSwap:
      return lowering::swap(a[0], a[1], a[2]);
    case Builtin::kRepeatTo:
      return lowering::repeat_to(a[0], a[1]);
    case Builtin::kInversePerm:
      return lowering::inverse_perm(a[0]);
    case Builtin::kWithout:
      return lowering::without(a[0], a[1]);
    case Builtin::kMoveLast:
      return lowering::move_last(a[0], a[1]);
    case Builtin::kSorted:
      return lowering::sorted(a[0]);
    case Builtin::kReversed:
      return lowering::reversed(a[0]);
    case Builtin::kSum:
      return lowering::sum(a[0]);
    case Builtin::kProduct:
      return lowering::product(a[0]);
    case Builtin::kAbs:
      return lowering::abs(a[0]);
    case Builtin::kSqrt:
      return lowering::sqrt(a[0]);
    case Builtin::kExp:
      return lowering::exp(a[0]);
    case Builtin::kLog:
      return lowering::log(a[0]);
    case Builtin::kFloor:
      return lowering::floor(a[0]);
    case Builtin::kCeil:
      return lowering::ceil(a[0]);
    case Builtin::kInt:
      return lowering::to_int(a[0]);
    case Builtin::kFloat:
      return lowering::to_float(a[0]);
    case Builtin::kFinfoMin:
      return lowering::finfo_min(a[0]);
    case Builtin::kFinfoMax:
      return lowering::finfo_max(a[0]);
    case Builtin::kIinfoMin:
      return lowering::iinfo_min(a[0]);
    case Builtin::kIinfoMax:
      return lowering::iinfo_max(a[0]);
    case Builtin::kAll:
      return lowering::all(a[0]);
    case Builtin::kAny:
      return lowering::any(a[0]);
    case Builtin::kZip:
      return lowering::zip(a[0], a[1]);
    case Builtin::kEnumerate:
      return lowering::enumerate(a[0]);
    case Builtin::kAxis:
      return lowering::normal_axis(a[0], a[1]);
    case Builtin::kRefuse:
      return lowering::refuse(a[0]);
    case Builtin::kRange:
      return a.size() == 1   ? lowering::range(a[0])
             : a.size() == 2 ? lowering::range(a[0], a[1])
                             : lowering::range(a[0], a[1], a[2]);
    case Builtin::kMin:
      return a.size() == 1 ? lowering::min(a[0]) : lowering::min(a[0], a[1]);
    case Builtin::kMax:
      return a.size() == 1 ? lowering::max(a[0]) : lowering::max(a[0], a[1]);
    case Builtin::kDomain:
      return Val(context.has_domain(a[0]));
    case Builtin::kKeeps:
      return Val(context.keeps(a[0]));
    case Builtin::kKeepsTraining:
      return Val(context.keeps_training());
    case Builtin::kStaticallyTrue:
      break;
  }
  throw std::logic_error("not a function of values");
}

Val Infix(Operator op, const Val& a, const Val& b) {
  switch (op) {
    case Operator::kAdd:
      return a + b;
    case Operator::kSubtract:
      return a - b;
    case Operator::kMultiply:
      return a * b;
    case Operator::kDivide:
      return a / b;
    case Operator::kFloorDivide:
      return FloorDiv(a, b);
    case Operator::kModulo:
      return a % b;
    case Operator::kPower:
      return Pow(a, b);
    case Operator::kEqual:
      return a == b;
    case Operator::kNotEqual:
      return a != b;
    case Operator::kLess:
      return a < b;
    case Operator::kLessEqual:
      return a <= b;
    case Operator::kGreater:
      return a > b;
    case Operator::kGreaterEqual:
      return a >= b;
    case Operator::kIn:
      return Contains(b, a);
    case Operator::kNotIn:
      return !Contains(b, a);
    case Operator::kNegate:
    case Operator::kNot:
    case Operator::kAnd:
    case Operator::kOr:
      break;
  }
  throw std::logic_error("not an operator of two values");
}

// Names that have their values.
class OfNames final : public Interpreter {
 public:
  OfNames(const Names& names, lowering::Context* context) : Interpreter(context), names_(names) {}

 private:
  Val Name(const std::string& name) override { return names_.at(name); }

  const Names& names_;
};

}  // namespace

Val Interpreter::Constant(const Expr& expr) {
  if (expr.kind == ExprKind::kInt) return expr.int_value;
  return expr.kind == ExprKind::kFloat ? Val(expr.float_value) : Val(expr.dtype);
}

Val Interpreter::Other(const Expr& /*expr*/) { throw std::logic_error("no value of its own"); }

Vals Interpreter::Elements(const Expr& expr) {
  Vals items;
  for (const codegen::ExprPtr& operand : expr.operands) {
    if (operand->kind != ExprKind::kStar) {
      items.push_back(Evaluate(*operand));
      continue;
    }
    const Val list = Evaluate(*operand->operands[0]);
    items.insert(items.end(), list.AsList().begin(), list.AsList().end());
  }
  return items;
}

Val Interpreter::Evaluate(const Expr& expr) {
  const auto operand = [&](size_t i) { return Evaluate(*expr.operands[i]); };
  switch (expr.kind) {
    case ExprKind::kNone:
      return Val();
    case ExprKind::kBool:
      return expr.bool_value;
    case ExprKind::kInt:
    case ExprKind::kFloat:
    case ExprKind::kDType:
      return Constant(expr);
    case ExprKind::kString:
      return expr.text;
    case ExprKind::kName:
      return Name(expr.text);
    case ExprKind::kList:
      return Elements(expr);
    case ExprKind::kUnary:
      return expr.op == Operator::kNot ? Val(!operand(0)) : -operand(0);
    case ExprKind::kLogic:
      return expr.op == Operator::kAnd ? And(operand(0), [&] { return operand(1); })
                                       : Or(operand(0), [&] { return operand(1); });
    case ExprKind::kArithmetic:
    case ExprKind::kComparison:
      return Infix(expr.op, operand(0), operand(1));
    case ExprKind::kConditional:
      return operand(1) ? operand(0) : operand(2);
    case ExprKind::kIndex:
      return operand(0)[operand(1)];
    case ExprKind::kSlice:
      return operand(0).Slice(operand(1), operand(2));
    case ExprKind::kBuiltin: {
      if (expr.builtin == Builtin::kStaticallyTrue)
        return context_.statically_true([&] { return static_cast<bool>(operand(0)); });
      if (expr.builtin == Builtin::kDecided) return context_.decided([&] { return static_cast<bool>(operand(0)); });
      if (expr.builtin == Builtin::kSized) return context_.sized(operand(0), [&] { return operand(1); });
      Vals arguments;
      for (size_t i = 0; i < expr.operands.size(); ++i) arguments.push_back(operand(i));
      return Call(context_, expr.builtin, arguments);
    }
    default:
      return Other(expr);
  }
}

Val Evaluate(const Expr& expr, const Names& names, lowering::Context* context) {
  return OfNames(names, context).Evaluate(expr);
}

}  // namespace onnxport::language
