#ifndef ONNXPORT_RUNTIME_IR_NAME_VALUES_H_
#define ONNXPORT_RUNTIME_IR_NAME_VALUES_H_

#include "runtime/ir/graph.h"

namespace onnxport::ir {

// Inputs and weights keep their names. A value inside the graph with the same name is renamed.
void NameValues(Graph* graph);

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_NAME_VALUES_H_
