// Finds the parts of a model that a target does not support.
#ifndef ONNXPORT_RUNTIME_MODEL_TARGET_CHECK_H_
#define ONNXPORT_RUNTIME_MODEL_TARGET_CHECK_H_

#include <vector>

#include "onnxport/diagnostic.h"
#include "runtime/ir/graph.h"
#include "runtime/model/target/target.h"

namespace onnxport::target {

// Checks a graph after all passes, with its final names. Returns one diagnostic for each operator and reason, with the
// places in the program that its nodes came from, and a workaround. Nodes in domains other than ONNX's own are not
// checked.
std::vector<Diagnostic> Check(const ir::Graph& model, const Target& target);

}  // namespace onnxport::target

#endif  // ONNXPORT_RUNTIME_MODEL_TARGET_CHECK_H_
