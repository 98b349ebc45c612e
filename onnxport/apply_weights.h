// Replaces the weights of an ONNX model.
#ifndef ONNXPORT_APPLY_WEIGHTS_H_
#define ONNXPORT_APPLY_WEIGHTS_H_

#include <string>
#include <vector>

#include "onnxport/expected.h"
#include "onnxport/model.h"
#include "onnxport/source.h"

namespace onnxport {

struct AppliedWeights {
  SaveReport files;
  // These say how many weights were taken, which stay as they are, and which tensors of the file are not used.
  std::vector<std::string> remarks;
};

// Writes the ONNX file `model` to `out` with the weights of another file. `out` may be the same path as `model`. The
// weights are a safetensors file, a state_dict that torch.save wrote, or a module that torch::save wrote in C++. They
// are matched by name. Inputs that ExportOptions::weights_as_inputs made become initializers. A model that has a data
// file gets a new one, if `options` leave it open. Weights are streamed. The files appear complete or not at all.
//
// Weights that the export made of others are made again of those in the file, as the model says in its metadata: they
// are transposed, cast, put together in another order, quantized, or have a norm folded into them.
//
// Fails with kCannotExport, and all that does not fit: other dtypes or shapes, no weight of these names, or weights
// that cannot be made again. Examples are weights whose elements became part of the model otherwise, and those that a
// program unpacks. Such a model is exported without passes, or again with ExportOptions::weights. Else as Model::Save.
Result<AppliedWeights> ApplyWeights(const std::string& model, const Source& weights, const std::string& out,
                                    const SaveOptions& options = {});

}  // namespace onnxport

#endif  // ONNXPORT_APPLY_WEIGHTS_H_
