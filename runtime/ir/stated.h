#ifndef ONNXPORT_RUNTIME_IR_STATED_H_
#define ONNXPORT_RUNTIME_IR_STATED_H_

#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::ir {

// The types that a file states for the results of a call, with lists flattened. Null: the file states no type and does
// not use the result.
using StatedTypes = std::vector<const Value*>;

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_STATED_H_
