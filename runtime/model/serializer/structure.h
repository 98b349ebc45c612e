// An ONNX graph as protobuf bytes, without the weights.
#ifndef ONNXPORT_RUNTIME_MODEL_SERIALIZER_STRUCTURE_H_
#define ONNXPORT_RUNTIME_MODEL_SERIALIZER_STRUCTURE_H_

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/model/functions/function.h"
#include "runtime/model/serializer/fields.h"

namespace onnxport::serializer {

// Serialized fields in the order of their numbers: `model_head`, the graph field, `model_tail` make a ModelProto;
// `graph_head`, the initializers, `graph_tail` the GraphProto in it.
struct Structure {
  std::string model_head;
  Fields graph_head;
  Fields graph_tail;
  std::string model_tail;
};

// Information for people that a runtime does not need.
struct Metadata {
  const ir::Graph* source = nullptr;  // the calls that the nodes came from; null: do not describe nodes
  std::vector<std::pair<std::string, std::string>> properties = {};  // of the model
};

// `graph` is lowered, named and valid (see invariants.h), and so are `functions`, which its nodes call. With
// `state_as_inputs`, its parameters and buffers are listed among the inputs, too; below IR version 4 all weights are.
// The arguments must outlive the structure.
Structure BuildStructure(const ir::Graph& graph, std::span<const functions::Function> functions,
                         const Metadata& metadata, bool state_as_inputs);

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_STRUCTURE_H_
