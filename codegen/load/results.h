// Resolves results of definitions by name.
#ifndef ONNXPORT_CODEGEN_LOAD_RESULTS_H_
#define ONNXPORT_CODEGEN_LOAD_RESULTS_H_

#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

// Turns `r.places` into `r[1]`, if `r` is a call of a definition that emits `{values: x, places: i}`, or a let with
// such a value. Code after the loader knows only lists and positions. The arguments of calls are already in their
// positions.
void ResolveResults(SpecFile* spec, Diagnostics* diagnostics);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_RESULTS_H_
