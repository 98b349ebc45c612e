// Weights as messages of ONNX.
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

// All but the bytes.
void FillTensor(const ir::TensorData& data, const std::string& name, onnx::TensorProto* proto);

// Where a weight's bytes lie, when not in the model itself.
struct External {
  std::string file;
  int64_t offset = 0;
  int64_t length = 0;
};

// The TensorProto of a weight without the raw_data field, which comes last on the wire; `external` may be null.
std::string TensorHeader(const ir::Graph& graph, const ir::Weight& weight, const External* external);

// Bytes of the tensor's contents; an Error (kBadInput) for a shape that is negative or too large to count.
int64_t ByteCount(const ir::TensorData& data);

// Calls `sink` with the tensor's bytes; an Error (kBadInput) unless their count is the shape's. `name` is for the
// message.
void StreamChecked(const ir::TensorData& data, const std::string& name, const ir::ByteSink& sink);

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_TENSOR_PROTO_H_
