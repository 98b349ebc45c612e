// Reads default values in schemas: `alpha=1`, `dtype=None`, `stride=[1, 1]`, `memory_format=contiguous_format`.
#ifndef ONNXPORT_RUNTIME_ATEN_SCHEMA_DEFAULT_H_
#define ONNXPORT_RUNTIME_ATEN_SCHEMA_DEFAULT_H_

#include "runtime/aten/aten_schema.h"
#include "runtime/aten/schema_text.h"

namespace onnxport::ir {

// Reads the value at the position. Throws BadSchema.
Arg ParseDefault(const AtenType& type, SchemaText* text);

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_ATEN_SCHEMA_DEFAULT_H_
