// Reads definitions of a file and of an entry.
#ifndef ONNXPORT_CODEGEN_LOAD_DEFINITION_H_
#define ONNXPORT_CODEGEN_LOAD_DEFINITION_H_

#include <vector>

#include "codegen/load/yaml.h"
#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

// Each reports mistakes. Use the result only if there were none.
// `- def: conv(x, w)`, with `let`, `emit` and others beside it.
Def ReadDef(const YamlNode& node, Diagnostics* diagnostics);
// The map under `def` of an entry: `{'row(t)': expression}`. A map of the same keys may replace the expression.
std::vector<Def> ReadLocalDefs(const YamlNode& node, Diagnostics* diagnostics);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_DEFINITION_H_
