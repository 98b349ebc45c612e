// Reads the inputs and attributes of a node.
#ifndef ONNXPORT_RUNTIME_IR_READ_NODE_H_
#define ONNXPORT_RUNTIME_IR_READ_NODE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::ir {

// Null if the node has no such attribute.
const Arg* FindAttribute(const Node& node, std::string_view name);
int64_t IntAttribute(const Node& node, std::string_view name, int64_t otherwise);
// Nothing if the attribute is absent or no list of ints.
std::optional<std::vector<int64_t>> IntsAttribute(const Node& node, std::string_view name);

// The tensor of a "Constant" node; null for any other node, and for a constant in another form.
std::shared_ptr<const TensorData> ConstantTensor(const Node& node);

// The value at an input position; kNone if the input is absent.
ValueId InputAt(const Node& node, size_t position);

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_READ_NODE_H_
