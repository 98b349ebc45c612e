// Gives the weights of a program their names.
#ifndef ONNXPORT_RUNTIME_SOURCES_WEIGHTS_NAME_WEIGHTS_H_
#define ONNXPORT_RUNTIME_SOURCES_WEIGHTS_NAME_WEIGHTS_H_

#include "runtime/ir/graph.h"
#include "runtime/sources/torchscript/archive/program.h"

namespace onnxport::weights {

// Replaces the bytes of each parameter and buffer by an ir::ProgramWeight. Tied weights stay tied, and weights that
// share memory still do.
void NameWeights(ir::Graph* program);
void NameWeights(torchscript::Program* program);

}  // namespace onnxport::weights

#endif  // ONNXPORT_RUNTIME_SOURCES_WEIGHTS_NAME_WEIGHTS_H_
