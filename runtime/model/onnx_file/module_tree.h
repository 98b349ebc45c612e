// Groups the nodes of a graph by the modules of the program.
#ifndef ONNXPORT_RUNTIME_MODEL_ONNX_FILE_MODULE_TREE_H_
#define ONNXPORT_RUNTIME_MODEL_ONNX_FILE_MODULE_TREE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "onnx/onnx_pb.h"
#include "runtime/model/onnx_file/summary.h"

namespace onnxport::onnx_file {

// The names of nodes contain their modules, as this exporter and torch.onnx write them at every opset: "/encoder/0/Add"
// is in module `0` of `encoder`. A node without a path belongs to the model itself.
struct ModuleTree {
  std::string name;                                   // "0"; empty for the model itself
  std::vector<int> nodes;                             // its own nodes, as indices
  int64_t all_nodes = 0;                              // including those of its modules
  int64_t weight_bytes = 0;                           // of weights that these nodes read; a shared one counts once
  std::vector<ModuleTree> modules;                    // in the order of their first nodes
  std::map<std::string, size_t, std::less<>> places;  // name -> index in `modules`
};

// `weights` are those of the model.
ModuleTree ModulesOf(const onnx::GraphProto& graph, const std::vector<Summary::Weight>& weights);

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_MODULE_TREE_H_
