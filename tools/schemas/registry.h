// The operator schemas of the LibTorch that is linked.
#ifndef ONNXPORT_TOOLS_SCHEMAS_REGISTRY_H_
#define ONNXPORT_TOOLS_SCHEMAS_REGISTRY_H_

#include <map>
#include <string>

namespace onnxport::schemas {

// By name ("aten::add.Tensor"), as LibTorch prints them; namespaces aten and quantized.
std::map<std::string, std::string> LinkedSchemas();

std::string LinkedVersion();  // "2.14.1"

}  // namespace onnxport::schemas

#endif  // ONNXPORT_TOOLS_SCHEMAS_REGISTRY_H_
