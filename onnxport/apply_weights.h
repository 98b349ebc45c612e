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
// Fails with kCannotExport, with one report of all weights that do not fit:
// - a weight has another dtype or shape
// - the file has no weight of these names
// - a weight was computed from those in the file during the export: "fc.weight.T", "conv.weight+norm.weight"
// To replace a computed weight, export the model without passes, or again with ExportOptions::weights. Other failures
// are those of Model::Save.
Result<AppliedWeights> ApplyWeights(const std::string& model, const Source& weights, const std::string& out,
                                    const SaveOptions& options = {});

}  // namespace onnxport

#endif  // ONNXPORT_APPLY_WEIGHTS_H_
