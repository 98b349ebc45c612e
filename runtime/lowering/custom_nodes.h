// Operators that become nodes of their own name or of a user's choice, whatever specs say.
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
    std::vector<std::string> arguments;  // names of the operator's; empty: its schema's
  };

  std::map<std::string, Target, std::less<>> targets;  // by "my_ops::relu6", with or without overload
  bool fallthrough = false;                            // also each operator that no spec knows: "my_ops.relu6"
  std::map<std::string, int, std::less<>> versions;    // of domains
};

// The node that a call of the operator becomes; nothing where specs say it, or nobody.
std::optional<CustomNodes::Target> TargetOf(const CustomNodes& nodes, const ir::Operator& op);

// Tensors among the arguments become inputs of the node, the others its attributes. Results are of the types that are
// stated; where none are (a TorchScript file), of the dtype of the first tensor and of unknown shape, which *remark
// then tells. `call.attributes` name arguments where no schema does. Throws Refusal.
Vals LowerToCustomNode(Emitter* emitter, const CustomNodes::Target& target, const ir::Node& call, const Vals& args,
                       const ir::StatedTypes* stated, std::string* remark);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_CUSTOM_NODES_H_
