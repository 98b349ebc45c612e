#ifndef ONNXPORT_RUNTIME_IR_STATED_H_
#define ONNXPORT_RUNTIME_IR_STATED_H_

#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::ir {

// What a file says of the results of a call, lists flattened. Null: it says nothing and does not use the result.
using StatedTypes = std::vector<const Value*>;

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_STATED_H_
