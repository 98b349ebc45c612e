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
// Some weights of the model are not stored as the program has them: the export transposed, cast, reordered or quantized
// them, or folded a norm into them. The model's metadata say how, and the same is done to the weights of the file.
//
// Fails with kCannotExport if the file does not fit: other dtypes or shapes, or no weight of a name. Fails so, too, if
// a weight cannot be made again: a pass used its elements in another way, or the program unpacks it. Export such a
// model without passes, or again with ExportOptions::weights. Other failures are those of Model::Save.
Result<AppliedWeights> ApplyWeights(const std::string& model, const Source& weights, const std::string& out,
                                    const SaveOptions& options = {});

}  // namespace onnxport

#endif  // ONNXPORT_APPLY_WEIGHTS_H_
