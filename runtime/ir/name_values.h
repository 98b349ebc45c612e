#ifndef ONNXPORT_RUNTIME_IR_NAME_VALUES_H_
#define ONNXPORT_RUNTIME_IR_NAME_VALUES_H_

#include "runtime/ir/graph.h"

namespace onnxport::ir {

// Inputs and weights have their own names; a value inside the graph that has one of them gives way.
void NameValues(Graph* graph);

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_NAME_VALUES_H_
