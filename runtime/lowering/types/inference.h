// Infers the result types of a node in the graph under construction. It uses ONNX's own inference functions, or the
// schema that a spec declares.
#ifndef ONNXPORT_RUNTIME_LOWERING_TYPES_INFERENCE_H_
#define ONNXPORT_RUNTIME_LOWERING_TYPES_INFERENCE_H_

#include <memory>

#include "runtime/ir/graph.h"
#include "runtime/lowering/types/op_info.h"
#include "runtime/onnx/inferred_type.h"

namespace onnxport::lowering {

using onnx_ops::InferredType;
using onnx_ops::InferredTypes;

// Keeps the contents of values that inference needs for later nodes. Symbolic dimensions pass through unchanged.
class TypeInference {
 public:
  explicit TypeInference(const ir::Graph* graph);  // kept
  ~TypeInference();
  TypeInference(const TypeInference&) = delete;

  // Returns one type per output. Throws Refusal if ONNX says that the node is wrong.
  InferredTypes Infer(const OpInfo& op, const ir::Node& node);

  // Sets the contents of a value, for operators whose result types depend on them. For constants that `contents` cannot
  // hold, such as the float scales of a Resize.
  void SetData(ir::ValueId id, std::shared_ptr<const ir::TensorData> data);
  // Call it when the value's type or contents changed.
  void Forget(ir::ValueId id);

 private:
  struct State;  // holds protobuf types
  std::unique_ptr<State> state_;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_TYPES_INFERENCE_H_
