// Reads one item of `ops:`: an operator's entry, or traits of an operator.
#ifndef ONNXPORT_CODEGEN_LOAD_ENTRY_H_
#define ONNXPORT_CODEGEN_LOAD_ENTRY_H_

#include "codegen/load/yaml.h"
#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

// Each reports mistakes. Use the result only if there were none.
OpEntry ReadEntry(const YamlNode& node, Diagnostics* diagnostics);
TraitEntry ReadTraitEntry(const YamlNode& node, Diagnostics* diagnostics);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_ENTRY_H_
