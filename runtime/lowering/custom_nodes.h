// Operators that become nodes of their own name, or of a user's choice, even if a spec maps them.
#ifndef ONNXPORT_RUNTIME_LOWERING_CUSTOM_NODES_H_
#define ONNXPORT_RUNTIME_LOWERING_CUSTOM_NODES_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/ir/stated.h"
#include "runtime/lowering/build/val.h"

namespace onnxport::lowering {

class Emitter;

struct CustomNodes {
  struct Target {
    std::string node;                    // "com.example.Relu6"; "Relu" is ONNX's own
    std::vector<std::string> arguments;  // names of the operator's arguments; empty: those of its schema
  };

  std::map<std::string, Target, std::less<>> targets;  // by "my_ops::relu6", with or without overload
  bool fallthrough = false;                            // also map each operator that no spec knows: "my_ops.relu6"
  std::map<std::string, int, std::less<>> versions;    // of domains
};

// Returns the node for a call of the operator; nothing if a spec maps it, or nothing does.
std::optional<CustomNodes::Target> TargetOf(const CustomNodes& nodes, const ir::Operator& op);

// Tensors among the arguments become inputs of the node, the others attributes. Results have the stated types. If none
// are stated (a TorchScript file), they get the dtype of the first tensor and an unknown shape, and *remark says so.
// `call.attributes` name the arguments if there is no schema. Throws Refusal.
Vals LowerToCustomNode(Emitter* emitter, const CustomNodes::Target& target, const ir::Node& call, const Vals& args,
                       const ir::StatedTypes* stated, std::string* remark);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_CUSTOM_NODES_H_
