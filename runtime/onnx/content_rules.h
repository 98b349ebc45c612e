// Internal to runtime/onnx: computes known elements of results, one function for each operator (OpFacts::contents).
// Contents are the operands of shape arithmetic: a few integers, each a number, an expression, or unknown. An element
// that may differ between runs stays unknown.
#ifndef ONNXPORT_RUNTIME_ONNX_CONTENT_RULES_H_
#define ONNXPORT_RUNTIME_ONNX_CONTENT_RULES_H_

#include <optional>

#include "runtime/ir/dim.h"
#include "runtime/onnx/node_view.h"

namespace onnxport::onnx_ops {

using Contents = std::optional<ir::Dims>;

namespace contents {

Contents Add(const NodeView& call);
Contents Concat(const NodeView& call);
Contents Div(const NodeView& call);
Contents Gather(const NodeView& call);
Contents Keep(const NodeView& call);  // those of the first input
Contents Max(const NodeView& call);
Contents Min(const NodeView& call);
Contents Mod(const NodeView& call);
Contents Mul(const NodeView& call);
Contents Neg(const NodeView& call);
Contents Range(const NodeView& call);
Contents ReduceProd(const NodeView& call);
Contents ReduceSum(const NodeView& call);
Contents Shape(const NodeView& call);
Contents Size(const NodeView& call);
Contents Slice(const NodeView& call);
Contents Sub(const NodeView& call);

}  // namespace contents
}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_CONTENT_RULES_H_
