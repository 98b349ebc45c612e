// The parameters of a method as values: tensors given at run time, or what the user, the archive or a default fixes.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_INPUTS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_INPUTS_H_

#include <vector>

#include "runtime/inputs/inputs.h"
#include "runtime/sources/torchscript/archive/program.h"
#include "runtime/sources/torchscript/interpret/values/heap.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/sources/torchscript/syntax/ast.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {

// One value per parameter, `self` (the first) left out. A leaf is a tensor, or an element of a container, named
// "d.key", "t.0", "xs.1". It comes from the first of these: a spec of its name, the example that a trace stored, the
// default.
// Tensors and numbers given at run time become inputs of the tracer's graph, in the order of the parameters; a named
// dimension is the same symbol everywhere. `may_be_unrolled`: the sizes that a trace had are noted, for loops over
// them.
//
// Throws Error (kUsage) that lists every parameter nothing is known of, with its type and a flag that would do. It also
// lists every spec that names no parameter, and every one that does not fit its type.
ValueList BindInputs(const Function& method, const Program& program, const std::vector<Input>& specs,
                     bool may_be_unrolled, Heap* heap, trace::Tracer* tracer);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_INPUTS_H_
