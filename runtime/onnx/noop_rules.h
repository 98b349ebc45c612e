// Internal to runtime/onnx: tells when a node's first result equals its first input (OpFacts::is_noop).
#ifndef ONNXPORT_RUNTIME_ONNX_NOOP_RULES_H_
#define ONNXPORT_RUNTIME_ONNX_NOOP_RULES_H_

#include "runtime/onnx/node_view.h"

namespace onnxport::onnx_ops::noops {

bool Always(const NodeView& node);
bool InOrder(const NodeView& node);      // a Transpose that moves no axis
bool NotTraining(const NodeView& node);  // a Dropout that nothing turns on
bool OneInput(const NodeView& node);
bool SameDType(const NodeView& node);  // a Cast to the dtype of the input
bool SameSizes(const NodeView& node);
bool Whole(const NodeView& node);  // a Slice that cuts nothing

}  // namespace onnxport::onnx_ops::noops

#endif  // ONNXPORT_RUNTIME_ONNX_NOOP_RULES_H_
