#include "tests/torch/against_eager.h"

#include <c10/core/GradMode.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "runtime/sources/torch/arguments.h"
#include "runtime/sources/torch/tensor_memory.h"
#include "runtime/verify/ort/compare.h"
#include "runtime/verify/ort/elements.h"
#include "tests/ort/client.h"

namespace onnxport::tests {
namespace {

ort::Tensor FromTorch(const at::Tensor& tensor, const std::string& name) {
  const at::Tensor dense = tensor.detach().contiguous();
  return {.name = name,
          .dtype = *torch_export::DTypeOf(dense.scalar_type()),
          .shape = dense.sizes().vec(),
          .bytes = std::string(static_cast<const char*>(dense.const_data_ptr()), dense.nbytes())};
}

std::string ShapesText(const std::vector<at::Tensor>& tensors) {
  std::ostringstream text;
  for (const at::Tensor& tensor : tensors) text << tensor.sizes() << ' ';
  return text.str();
}

}  // namespace

std::vector<at::Tensor> Leaves(const c10::IValue& value) {
  std::vector<at::Tensor> tensors;
  torch_export::VisitTensors(value, [&](const at::Tensor& tensor) { tensors.push_back(tensor); });
  return tensors;
}

std::string DifferenceFrom(const Model& model, const std::vector<at::Tensor>& inputs,
                           const std::vector<at::Tensor>& expected) {
  const auto bytes = model.Bytes();
  if (!bytes) return "not written: " + bytes.error().Text();
  ort::Request request;
  request.model_bytes.assign(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  // An input that nothing uses is one of the model's all the same.
  for (size_t i = 0; i < model.inputs().size(); ++i) {
    request.inputs.push_back(FromTorch(inputs.at(i), model.inputs()[i].name));
  }
  const ort::Response response = ort::ClientFor(model.opset()).Run(request, 120);
  if (!response.error.empty()) return "ONNX Runtime: " + response.error;
  if (response.outputs.size() != expected.size()) return "another number of outputs";
  for (size_t i = 0; i < expected.size(); ++i) {
    const ort::Tensor wanted = FromTorch(expected[i], "");
    const ort::Tolerance tolerance = {.absolute = 1e-5 * std::max(1.0, ort::Largest(wanted))};
    const std::string difference = ort::Difference(response.outputs[i], wanted, tolerance);
    if (!difference.empty()) return model.outputs()[i].name + ": " + difference;
  }
  return "";
}

std::string Differs(const TorchProgram& program, const Run& run) {
  const auto model = ExportProgram(program, run.examples, run.options);
  if (!model) return "refused: " + model.error().Text();
  std::vector<std::vector<c10::IValue>> all = run.others;
  all.insert(all.begin(), run.examples);
  for (const auto& arguments : all) {
    std::vector<at::Tensor> inputs;
    for (const c10::IValue& argument : arguments) {
      for (const at::Tensor& tensor : Leaves(argument)) inputs.push_back(tensor.clone());
    }
    const c10::NoGradGuard no_grad;
    const std::string difference = DifferenceFrom(*model, inputs, Leaves(program.run(arguments)));
    if (!difference.empty()) return "with " + ShapesText(inputs) + ": " + difference;
  }
  return "";
}

}  // namespace onnxport::tests
