// Replaces the weights of an existing model.
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
  ir::Graph weights;                 // only the weights
  std::vector<std::string> remarks;  // about unused tensors, and weights that stay
};

// Returns the model with the tensors of a file. They replace initializers of the same names, and inputs, which become
// initializers. Initializers that the export made from such weights are made again, as the model says (passes/recipes).
// Throws Error (kCannotExport) with everything that does not fit. Examples are another dtype or shape, a weight that
// cannot be made again, and an input that must be a weight but is not in the file.
WithWeights ApplyWeights(Skeleton model, const weights::NamedTensors& tensors, const std::string& file);

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_APPLY_WEIGHTS_H_
