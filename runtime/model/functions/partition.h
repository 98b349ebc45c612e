// Which nodes can become one.
#ifndef ONNXPORT_RUNTIME_MODEL_FUNCTIONS_PARTITION_H_
#define ONNXPORT_RUNTIME_MODEL_FUNCTIONS_PARTITION_H_

#include <cstddef>
#include <vector>

namespace onnxport::functions {

inline constexpr int kNoModule = -1;

// Nodes of a list, by their numbers in it.
struct Part {
  int module = kNoModule;
  std::vector<size_t> nodes;  // ascending; of kNoModule one
};

// Puts nodes of one module together. `modules[i]` is the module of node i, `needs[i]` the nodes whose results it takes,
// all of them before i. The parts have every node once and are in an order in which each takes only results of itself
// and earlier parts. Where a node outside of a module lies between two of its nodes in the data flow, the module has
// two parts. Nodes without a module stay where they are if they can. Takes time that grows with nodes and needs.
std::vector<Part> Partition(const std::vector<int>& modules, const std::vector<std::vector<size_t>>& needs);

}  // namespace onnxport::functions

#endif  // ONNXPORT_RUNTIME_MODEL_FUNCTIONS_PARTITION_H_
