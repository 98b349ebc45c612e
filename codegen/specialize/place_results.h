#ifndef ONNXPORT_CODEGEN_SPECIALIZE_PLACE_RESULTS_H_
#define ONNXPORT_CODEGEN_SPECIALIZE_PLACE_RESULTS_H_

#include "codegen/model/spec.h"
#include "runtime/aten/aten_schema.h"

namespace onnxport::codegen {

// `emit: {indices: i}` of an operator with the results `values` and `indices` becomes `emit: [None, i]`: one for each,
// in the schema's order.
void PlaceResults(const ir::AtenSchema& schema, Body* body);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_SPECIALIZE_PLACE_RESULTS_H_
