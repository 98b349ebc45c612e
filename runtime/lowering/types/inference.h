// Result types of a node from ONNX's own inference functions, or from what a spec declares, run on the values of the
// graph under construction.
#ifndef ONNXPORT_RUNTIME_LOWERING_TYPES_INFERENCE_H_
#define ONNXPORT_RUNTIME_LOWERING_TYPES_INFERENCE_H_

#include <memory>

#include "runtime/ir/graph.h"
#include "runtime/lowering/types/op_info.h"
#include "runtime/onnx/inferred_type.h"

namespace onnxport::lowering {

using onnx_ops::InferredType;
using onnx_ops::InferredTypes;

// Keeps what inference needs of the contents of values between nodes. Symbolic dimensions go in and come out as they
// are.
class TypeInference {
 public:
  explicit TypeInference(const ir::Graph* graph);  // kept
  ~TypeInference();
  TypeInference(const TypeInference&) = delete;

  // One per output. Throws Refusal when ONNX says that the node is wrong.
  InferredTypes Infer(const OpInfo& op, const ir::Node& node);

  // Sets the contents of a value, for operators whose result types depend on them. It is for constants that `contents`
  // cannot hold, as the float scales of a Resize.
  void SetData(ir::ValueId id, std::shared_ptr<const ir::TensorData> data);
  // The value's type or contents changed.
  void Forget(ir::ValueId id);

 private:
  struct State;  // holds protobuf types
  std::unique_ptr<State> state_;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_TYPES_INFERENCE_H_
