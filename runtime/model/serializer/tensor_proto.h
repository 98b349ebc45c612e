// Turns weights into ONNX messages.
#ifndef ONNXPORT_RUNTIME_MODEL_SERIALIZER_TENSOR_PROTO_H_
#define ONNXPORT_RUNTIME_MODEL_SERIALIZER_TENSOR_PROTO_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "onnx/onnx_pb.h"
#include "runtime/ir/graph.h"

namespace onnxport::serializer {

// Fills all but the bytes.
void FillTensor(const ir::TensorData& data, const std::string& name, onnx::TensorProto* proto);

// The place of a weight's bytes outside the model.
struct External {
  std::string file;
  int64_t offset = 0;
  int64_t length = 0;
};

// The TensorProto of a weight without the raw_data field, which is last in the file. `external` may be null.
std::string TensorHeader(const ir::Graph& graph, const ir::Weight& weight, const External* external);

// The size of the tensor's contents in bytes. Throws Error (kBadInput) for a negative or too large shape.
int64_t ByteCount(const ir::TensorData& data);

// Calls `sink` with the tensor's bytes. Throws Error (kBadInput) if their number does not match the shape. `name` is
// for the message.
void StreamChecked(const ir::TensorData& data, const std::string& name, const ir::ByteSink& sink);

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_TENSOR_PROTO_H_
