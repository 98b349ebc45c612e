// Rewrites in-place writes, `out=` forms and writes through views into calls that make new values.
#ifndef ONNXPORT_RUNTIME_FUNCTIONALIZE_FUNCTIONALIZE_H_
#define ONNXPORT_RUNTIME_FUNCTIONALIZE_FUNCTIONALIZE_H_

#include <string>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::functionalize {

// After it no call of the graph writes to an argument, and every read sees the values PyTorch would have seen: through
// the written tensor, its base, and all other views of that base. What aliases what follows from the alias marks of the
// ATen schemas. A write to an input or a buffer is seen by later reads; that the caller's tensor keeps its old value
// becomes a sentence in `remarks` (may be null).
//
// Throws onnxport::Error (kCannotExport) listing every write that cannot be followed, with its source line.
void Functionalize(ir::Graph* graph, std::vector<std::string>* remarks);

}  // namespace onnxport::functionalize

#endif  // ONNXPORT_RUNTIME_FUNCTIONALIZE_FUNCTIONALIZE_H_
