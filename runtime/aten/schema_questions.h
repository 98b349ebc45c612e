// What follows from an ATen schema.
#ifndef ONNXPORT_RUNTIME_ATEN_SCHEMA_QUESTIONS_H_
#define ONNXPORT_RUNTIME_ATEN_SCHEMA_QUESTIONS_H_

#include "runtime/aten/aten_schema.h"

namespace onnxport::ir {

// Results are SymInts and nothing else: a question about sizes, strides or offsets.
bool ReturnsSizes(const AtenSchema& schema);

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_ATEN_SCHEMA_QUESTIONS_H_
