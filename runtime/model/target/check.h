// Finds the parts of a model that a target does not take.
#ifndef ONNXPORT_RUNTIME_MODEL_TARGET_CHECK_H_
#define ONNXPORT_RUNTIME_MODEL_TARGET_CHECK_H_

#include <vector>

#include "onnxport/diagnostic.h"
#include "runtime/ir/graph.h"
#include "runtime/model/target/target.h"

namespace onnxport::target {

// Checks a graph that has passed all passes, with its final names. There is one diagnostic for each operator and
// reason, with the places in the program that its nodes came from, and a way out. Nodes of other domains than ONNX's
// own are not looked at.
std::vector<Diagnostic> Check(const ir::Graph& model, const Target& target);

}  // namespace onnxport::target

#endif  // ONNXPORT_RUNTIME_MODEL_TARGET_CHECK_H_
