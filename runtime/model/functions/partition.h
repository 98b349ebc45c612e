// Divides nodes into parts that can become one node each.
#ifndef ONNXPORT_RUNTIME_MODEL_FUNCTIONS_PARTITION_H_
#define ONNXPORT_RUNTIME_MODEL_FUNCTIONS_PARTITION_H_

#include <cstddef>
#include <vector>

namespace onnxport::functions {

inline constexpr int kNoModule = -1;

// Nodes of a list, by their indices.
struct Part {
  int module = kNoModule;
  std::vector<size_t> nodes;  // ascending; a single one for kNoModule
};

// Puts nodes of the same module together. `modules[i]` is the module of node i. `needs[i]` are the nodes whose results
// it uses; all come before i. Each node is in exactly one part, and a part uses only results of itself and of earlier
// parts. If the data flow goes through a node outside between two nodes of a module, the module has two parts. Nodes
// without a module stay in their places if possible. Its time grows with the number of nodes and needs.
std::vector<Part> Partition(const std::vector<int>& modules, const std::vector<std::vector<size_t>>& needs);

}  // namespace onnxport::functions

#endif  // ONNXPORT_RUNTIME_MODEL_FUNCTIONS_PARTITION_H_
