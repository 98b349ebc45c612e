// The operator schemas of the LibTorch that is linked.
#ifndef ONNXPORT_TOOLS_SCHEMAS_REGISTRY_H_
#define ONNXPORT_TOOLS_SCHEMAS_REGISTRY_H_

#include <map>
#include <string>
#include <vector>

namespace onnxport::schemas {

// By name ("aten::add.Tensor"), as LibTorch prints them; namespaces aten and quantized.
std::map<std::string, std::string> LinkedSchemas();

// Base name ("aten::add") -> its overloads as TorchScript tries them; "default" for the one without a name.
std::map<std::string, std::vector<std::string>> LinkedOverloads();

// The schemas of every namespace, including those that a user's library registers. They are sorted by base name, and
// overloads of one name as TorchScript tries them.
std::vector<std::string> RegisteredSchemas();

std::string LinkedVersion();  // "2.14.1"

}  // namespace onnxport::schemas

#endif  // ONNXPORT_TOOLS_SCHEMAS_REGISTRY_H_
