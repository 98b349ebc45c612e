#ifndef ONNXPORT_RUNTIME_MODEL_FUNCTIONS_SINK_CONSTANTS_H_
#define ONNXPORT_RUNTIME_MODEL_FUNCTIONS_SINK_CONSTANTS_H_

#include "runtime/model/functions/function.h"

namespace onnxport::functions {

// Moves small constants that are equal in all calls of a function into it: shapes, axes, epsilons. They are no inputs
// any more. A constant that nobody uses then is removed. Weights stay inputs, even if they are small and equal.
void SinkConstants(ModularGraph* model);

}  // namespace onnxport::functions

#endif  // ONNXPORT_RUNTIME_MODEL_FUNCTIONS_SINK_CONSTANTS_H_
