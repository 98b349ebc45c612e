// Writes the beginning of a safetensors file: the length of a header in 8 bytes, and the header as JSON.
#ifndef ONNXPORT_RUNTIME_MODEL_SERIALIZER_SAFETENSORS_HEAD_H_
#define ONNXPORT_RUNTIME_MODEL_SERIALIZER_SAFETENSORS_HEAD_H_

#include <cstdint>
#include <string>

#include "runtime/ir/graph.h"

namespace onnxport::serializer {

// Returns true if the format has a name for this dtype.
bool HasSafetensorsName(ir::DType dtype);

// For tensors without gaps between them, in the order in which they are added.
class SafetensorsHead {
 public:
  void Add(const std::string& name, const ir::TensorData& tensor, int64_t bytes);
  // Its size is a multiple of kSmallAlignment (layout.h), so that the first tensor is aligned.
  std::string Text() &&;

 private:
  std::string entries_;
  int64_t end_ = 0;
};

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_SAFETENSORS_HEAD_H_
