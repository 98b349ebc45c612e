// Calls of definitions with arguments given by name.
#ifndef ONNXPORT_CODEGEN_LOAD_CALLS_H_
#define ONNXPORT_CODEGEN_LOAD_CALLS_H_

#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

// Puts the named arguments of calls in the place of the parameters. Calls of unknown definitions are left as they are.
void PlaceNamedArguments(SpecFile* spec, Diagnostics* diagnostics);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_CALLS_H_
