// Results of definitions by their names.
#ifndef ONNXPORT_CODEGEN_LOAD_RESULTS_H_
#define ONNXPORT_CODEGEN_LOAD_RESULTS_H_

#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

// Makes `r[1]` of `r.places`, where `r` is a call of a definition that emits `{values: x, places: i}`, or a let whose
// value is one. All that comes after the loader knows lists and positions only. Arguments of calls have been placed.
void ResolveResults(SpecFile* spec, Diagnostics* diagnostics);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_RESULTS_H_
