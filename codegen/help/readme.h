// The tables of spec/README.md.
#ifndef ONNXPORT_CODEGEN_HELP_README_H_
#define ONNXPORT_CODEGEN_HELP_README_H_

#include <string>

namespace onnxport::codegen {

// `readme` with the table below each marker made again: `<!-- keys: entry -->`, of the keys of a map as the JSON schema
// calls it, and `<!-- functions -->`. Throws std::runtime_error for another name.
std::string WithTables(const std::string& readme);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_HELP_README_H_
