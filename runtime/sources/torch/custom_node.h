// Nodes that a program requests with onnxport::Custom.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCH_CUSTOM_NODE_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCH_CUSTOM_NODE_H_

#include <string>
#include <vector>

#include "onnxport/torch_custom.h"
#include "runtime/ir/graph.h"

namespace onnxport::torch_export {

struct CustomNode {
  std::string domain;
  std::string op;
  CustomAttributes attributes;
};

// The operator of torch.onnx.ops that represents any node, and its arguments (spec/onnx_schemas.txt). The sizes of the
// results are arguments. If they differ from run to run, they are computed like other numbers. ONNX has the dtypes of
// `results`.
inline constexpr const char* kCustomNodeOperator = "onnx_symbolic::_symbolic_multi_out";
std::vector<ir::Arg> CustomNodeArguments(const CustomNode& node, ir::ArgList inputs,
                                         const std::vector<at::Tensor>& results);

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_CUSTOM_NODE_H_
