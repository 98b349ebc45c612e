// Which versions of ONNX operators an entry uses at an opset.
#ifndef ONNXPORT_CODEGEN_CHECK_VERSIONS_H_
#define ONNXPORT_CODEGEN_CHECK_VERSIONS_H_

#include <map>
#include <string>
#include <vector>

#include "codegen/check/fold.h"

namespace onnxport::codegen {

// Operator -> since_version of the schema in force, for every node that the folded entry can make, those of the defs
// it calls included. An operator without a schema has 0. The nodes of `+`, `cast` and other builtins are not counted:
// the runtime writes them at every opset.
std::map<std::string, int> OnnxVersionsOf(const FoldedEntry& folded, const std::vector<Def>& file_defs);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_VERSIONS_H_
