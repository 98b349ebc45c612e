// An ONNX graph as protobuf bytes, all of it but the weights.
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

// Information for people, beside what a runtime needs.
struct Metadata {
  const ir::Graph* source = nullptr;  // the calls that the nodes came from; null: nodes say nothing
  std::vector<std::pair<std::string, std::string>> properties = {};  // of the model
};

// `graph` is lowered, named and valid (see invariants.h); so are `functions`, which its nodes call. Its parameters and
// buffers are listed among the inputs, too, with `state_as_inputs`; below IR version 4 all weights are. The arguments
// must outlive the structure.
Structure BuildStructure(const ir::Graph& graph, std::span<const functions::Function> functions,
                         const Metadata& metadata, bool state_as_inputs);

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_STRUCTURE_H_
