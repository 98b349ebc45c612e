// Weights of a program that know their names.
#ifndef ONNXPORT_RUNTIME_SOURCES_WEIGHTS_NAME_WEIGHTS_H_
#define ONNXPORT_RUNTIME_SOURCES_WEIGHTS_NAME_WEIGHTS_H_

#include "runtime/ir/graph.h"
#include "runtime/sources/torchscript/archive/program.h"

namespace onnxport::weights {

// Puts an ir::ProgramWeight in place of the bytes of each parameter and buffer. Which weights are one tensor, and which
// share memory, stays as it is.
void NameWeights(ir::Graph* program);
void NameWeights(torchscript::Program* program);

}  // namespace onnxport::weights

#endif  // ONNXPORT_RUNTIME_SOURCES_WEIGHTS_NAME_WEIGHTS_H_
