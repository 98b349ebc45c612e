// Makes the values of a method's parameters: tensors given at run time, or values from the user, the archive or a
// default.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_INPUTS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_INPUTS_H_

#include <vector>

#include "runtime/inputs/inputs.h"
#include "runtime/sources/torchscript/archive/program.h"
#include "runtime/sources/torchscript/compare/compare_traces.h"
#include "runtime/sources/torchscript/interpret/values/heap.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/sources/torchscript/syntax/ast.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {

// Returns one value per parameter, without `self` (the first). A leaf is a tensor, or an element of a container, named
// "d.key", "t.0", "xs.1". Its value comes from the first that exists: a spec of this name, the example that a trace
// stored, the default.
// Tensors and numbers given at run time become inputs of the tracer's graph, in the order of the parameters. A named
// dimension is the same symbol everywhere. `traced_sizes` are the sizes of the axes in the trace that the user states.
// With those that the trace has recorded they detect loops over the axes; null: such loops are detected in another way.
//
// Throws Error (kUsage) that lists every parameter without a value, with its type and a flag that would work. It also
// lists every spec that names no parameter, or does not fit its type.
ValueList BindInputs(const Function& method, const Program& program, const std::vector<Input>& specs,
                     const AxisSizes* traced_sizes, Heap* heap, trace::Tracer* tracer);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_INPUTS_H_
