// Internal to runtime/onnx: when the first result of a node is its first input (OpFacts::is_noop).
#ifndef ONNXPORT_RUNTIME_ONNX_NOOP_RULES_H_
#define ONNXPORT_RUNTIME_ONNX_NOOP_RULES_H_

#include "runtime/onnx/node_view.h"

namespace onnxport::onnx_ops::noops {

bool Always(const NodeView& node);
bool InOrder(const NodeView& node);      // a Transpose that moves no axis
bool NotTraining(const NodeView& node);  // a Dropout that nobody can turn on
bool OneInput(const NodeView& node);
bool SameDType(const NodeView& node);  // a Cast to what the input is
bool SameSizes(const NodeView& node);
bool Whole(const NodeView& node);  // a Slice that leaves out nothing

}  // namespace onnxport::onnx_ops::noops

#endif  // ONNXPORT_RUNTIME_ONNX_NOOP_RULES_H_
