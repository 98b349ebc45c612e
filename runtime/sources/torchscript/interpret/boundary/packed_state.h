// Reads packed parameters from the archive.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_PACKED_STATE_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_PACKED_STATE_H_

#include "runtime/sources/torchscript/interpret/boundary/weights.h"
#include "runtime/sources/torchscript/interpret/values/heap.h"
#include "runtime/sources/torchscript/interpret/values/value.h"

namespace onnxport::torchscript {

// Completes an object of a C++ class whose attribute `state` has the stored data. It gets the attributes of packed
// parameters (quantized/packed.h). Objects of other classes, and states of another form, stay unchanged.
void UnpackState(const CellPtr& object, const Weights& weights, Heap* heap);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_PACKED_STATE_H_
