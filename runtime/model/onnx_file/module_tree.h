// The nodes of a graph by the modules of the program that they are of.
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

// Whose nodes these are say their names, as this exporter and torch.onnx write them at every opset: "/encoder/0/Add" is
// of module `0` of `encoder`. A node without a path is of the model itself.
struct ModuleTree {
  std::string name;                                   // "0"; of the model itself nothing
  std::vector<int> nodes;                             // its own, as indices
  int64_t all_nodes = 0;                              // with those of its modules
  int64_t weight_bytes = 0;                           // that these read; what several modules read is the first one's
  std::vector<ModuleTree> modules;                    // in the order of their first nodes
  std::map<std::string, size_t, std::less<>> places;  // of each in `modules`, by its name
};

// `weights`: of the model.
ModuleTree ModulesOf(const onnx::GraphProto& graph, const std::vector<Summary::Weight>& weights);

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_MODULE_TREE_H_
