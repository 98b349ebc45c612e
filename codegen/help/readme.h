// Writes the tables of spec/README.md.
#ifndef ONNXPORT_CODEGEN_HELP_README_H_
#define ONNXPORT_CODEGEN_HELP_README_H_

#include <string>

namespace onnxport::codegen {

// Returns `readme` with new tables below the markers: `<!-- keys: entry -->` for the keys of a map (with its name in
// the JSON schema), and `<!-- functions -->`. Throws std::runtime_error for another name.
std::string WithTables(const std::string& readme);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_HELP_README_H_
