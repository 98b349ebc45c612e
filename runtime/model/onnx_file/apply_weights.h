// Other weights for a model that exists.
#ifndef ONNXPORT_RUNTIME_MODEL_ONNX_FILE_APPLY_WEIGHTS_H_
#define ONNXPORT_RUNTIME_MODEL_ONNX_FILE_APPLY_WEIGHTS_H_

#include <string>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/model/onnx_file/skeleton.h"
#include "runtime/model/serializer/structure.h"
#include "runtime/sources/weights/safetensors.h"

namespace onnxport::onnx_file {

struct WithWeights {
  serializer::Structure structure;
  ir::Graph weights;                 // nothing but those
  std::vector<std::string> remarks;  // on tensors without use, and weights that stay
};

// The model with the tensors of a file of this name: in place of the initializers that are called so, and of inputs,
// which become initializers. Initializers that the export made of such weights are made again, as the model says
// (passes/recipes). Throws Error (kCannotExport) with all that does not fit: another dtype or shape, weights that
// cannot be made again, and inputs among those that become weights.
WithWeights ApplyWeights(Skeleton model, const weights::NamedTensors& tensors, const std::string& file);

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_APPLY_WEIGHTS_H_
