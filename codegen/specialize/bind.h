// Definitions that are given to definitions.
#ifndef ONNXPORT_CODEGEN_SPECIALIZE_BIND_H_
#define ONNXPORT_CODEGEN_SPECIALIZE_BIND_H_

#include "codegen/model/spec.h"

namespace onnxport::codegen {

// For `folded(xs, f(a, b))`, which stands for a definition, and its call `folded(sizes, larger)`: a copy
// `folded_with_larger(xs)` in which `larger` stands in the place of `f`, and its call. A copy that knows a definition
// of an entry is the entry's. Definitions that are given some are gone. Calls that give none, which the name check
// reports, stay.
SpecFile BindDefinitions(SpecFile spec);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_SPECIALIZE_BIND_H_
