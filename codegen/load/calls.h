// Handles calls of definitions with named arguments.
#ifndef ONNXPORT_CODEGEN_LOAD_CALLS_H_
#define ONNXPORT_CODEGEN_LOAD_CALLS_H_

#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

// Moves the named arguments of calls to the positions of their parameters. Calls of unknown definitions stay unchanged.
void PlaceNamedArguments(SpecFile* spec, Diagnostics* diagnostics);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_CALLS_H_
