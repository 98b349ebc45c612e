// Packed parameters as the archive has them.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_PACKED_STATE_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_PACKED_STATE_H_

#include "runtime/sources/torchscript/interpret/boundary/weights.h"
#include "runtime/sources/torchscript/interpret/values/heap.h"
#include "runtime/sources/torchscript/interpret/values/value.h"

namespace onnxport::torchscript {

// Completes an object of a C++ class whose attribute `state` is what the archive stored: it then has the attributes of
// packed parameters (quantized/packed.h). Objects of other classes, and states of another form, stay as they are.
void UnpackState(const CellPtr& object, const Weights& weights, Heap* heap);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_PACKED_STATE_H_
