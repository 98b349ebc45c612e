// Nodes that a program asks for by onnxport::Custom.
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

// The operator of torch.onnx.ops that stands for any node, and its arguments (spec/onnx_schemas.txt). The results'
// sizes are among them: where they differ from run to run they are computed as other numbers are. `results` are of
// dtypes that ONNX has.
inline constexpr const char* kCustomNodeOperator = "onnx_symbolic::_symbolic_multi_out";
std::vector<ir::Arg> CustomNodeArguments(const CustomNode& node, ir::ArgList inputs,
                                         const std::vector<at::Tensor>& results);

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_CUSTOM_NODE_H_
