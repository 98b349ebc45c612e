// Internal to runtime/onnx: evaluates operators, one function for each (OpFacts::evaluate).
#ifndef ONNXPORT_RUNTIME_ONNX_EVALUATE_RULES_H_
#define ONNXPORT_RUNTIME_ONNX_EVALUATE_RULES_H_

#include "runtime/onnx/evaluate_call.h"
#include "runtime/onnx/op_facts.h"

namespace onnxport::onnx_ops {

// evaluate_integers.cc: bools and integers.
namespace integers {
ir::DType Abs(const ElementCall& call);
ir::DType Add(const ElementCall& call);
ir::DType And(const ElementCall& call);
ir::DType BitShift(const ElementCall& call);
ir::DType BitwiseAnd(const ElementCall& call);
ir::DType BitwiseNot(const ElementCall& call);
ir::DType BitwiseOr(const ElementCall& call);
ir::DType BitwiseXor(const ElementCall& call);
ir::DType Cast(const ElementCall& call);
ir::DType Div(const ElementCall& call);
ir::DType Equal(const ElementCall& call);
ir::DType Greater(const ElementCall& call);
ir::DType GreaterOrEqual(const ElementCall& call);
ir::DType Less(const ElementCall& call);
ir::DType LessOrEqual(const ElementCall& call);
ir::DType Max(const ElementCall& call);
ir::DType Min(const ElementCall& call);
ir::DType Mod(const ElementCall& call);
ir::DType Mul(const ElementCall& call);
ir::DType Neg(const ElementCall& call);
ir::DType Not(const ElementCall& call);
ir::DType Or(const ElementCall& call);
ir::DType Sub(const ElementCall& call);
ir::DType Xor(const ElementCall& call);
}  // namespace integers

// evaluate_floats.cc: if an input or the result is a float.
namespace floats {
Result Abs(const Call& call);
Result Add(const Call& call);
Result Cast(const Call& call);
Result Ceil(const Call& call);
Result Cos(const Call& call);
Result Div(const Call& call);
Result Equal(const Call& call);
Result Exp(const Call& call);
Result Floor(const Call& call);
Result Greater(const Call& call);
Result GreaterOrEqual(const Call& call);
Result Less(const Call& call);
Result LessOrEqual(const Call& call);
Result Log(const Call& call);
Result Mul(const Call& call);
Result Neg(const Call& call);
Result Pow(const Call& call);
Result Reciprocal(const Call& call);
Result Sin(const Call& call);
Result Sqrt(const Call& call);
Result Sub(const Call& call);
}  // namespace floats

// For any dtype. evaluate_indexing.cc selects and joins elements; evaluate_shaping.cc reads and changes shapes.
namespace evaluate {
Result Concat(const Call& call);
Result ConstantOfShape(const Call& call);
Result CumSum(const Call& call);
Result Expand(const Call& call);
Result Gather(const Call& call);
Result GatherElements(const Call& call);
Result GatherND(const Call& call);
Result Identity(const Call& call);
Result Range(const Call& call);
Result Reshape(const Call& call);
Result Shape(const Call& call);
Result Size(const Call& call);
Result Slice(const Call& call);
Result Squeeze(const Call& call);
Result Transpose(const Call& call);
Result Trilu(const Call& call);
Result Unsqueeze(const Call& call);
Result Where(const Call& call);
}  // namespace evaluate

constexpr Evaluation Any(Evaluation::Function function) { return {.any = function}; }

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_EVALUATE_RULES_H_
