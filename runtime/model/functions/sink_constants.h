#ifndef ONNXPORT_RUNTIME_MODEL_FUNCTIONS_SINK_CONSTANTS_H_
#define ONNXPORT_RUNTIME_MODEL_FUNCTIONS_SINK_CONSTANTS_H_

#include "runtime/model/functions/function.h"

namespace onnxport::functions {

// Small constants that all calls of a function give alike become nodes of it and are no inputs any more: shapes, axes,
// epsilons. A constant that nobody takes then goes. Weights stay inputs, however alike and small.
void SinkConstants(ModularGraph* model);

}  // namespace onnxport::functions

#endif  // ONNXPORT_RUNTIME_MODEL_FUNCTIONS_SINK_CONSTANTS_H_
