// An ONNX graph as protobuf bytes, all of it but the weights.
#ifndef ONNXPORT_RUNTIME_SERIALIZER_STRUCTURE_H_
#define ONNXPORT_RUNTIME_SERIALIZER_STRUCTURE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::serializer {

// Serialized fields in the order of their numbers: `model_head`, the graph field, `model_tail` make a ModelProto;
// `graph_head`, the initializers, `graph_tail` the GraphProto in it.
struct Structure {
  std::string model_head;
  std::string graph_head;
  std::string graph_tail;
  std::string model_tail;
};

// What a model tells people, beside what a runtime needs.
struct Metadata {
  const ir::Graph* source = nullptr;  // the calls that the nodes came from; null: nodes say nothing
  std::vector<std::pair<std::string, std::string>> properties = {};  // of the model
};

// `graph` is lowered, named and valid (see invariants.h). Its parameters and buffers are listed among the inputs, too,
// with `state_as_inputs`; below IR version 4 all weights are.
Structure BuildStructure(const ir::Graph& graph, const Metadata& metadata = {}, bool state_as_inputs = false);

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
void StreamChecked(const ir::TensorData& data, const std::string& name,
                   const std::function<void(std::span<const std::byte>)>& sink);

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_SERIALIZER_STRUCTURE_H_
