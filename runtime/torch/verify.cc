// Compares a model with the program that it was made from.
#include <ATen/core/Tensor.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "onnxport/torch_export.h"
#include "runtime/api/border/border.h"
#include "runtime/base/error.h"
#include "runtime/sources/torch/arguments.h"
#include "runtime/verify/ort/client.h"
#include "runtime/verify/ort/compare.h"
#include "runtime/verify/ort/find_runner.h"
#include "runtime/verify/program/torch_values.h"
#include "runtime/verify/report/tolerances.h"

namespace onnxport {
namespace {

namespace fs = std::filesystem;

// A temporary folder with the model; the destructor removes it.
class ModelFile {
 public:
  explicit ModelFile(const Model& model) {
    std::string folder = (fs::temp_directory_path() / "onnxport-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) throw Error(ErrorKind::kCannotWrite, "no folder can be made: " + folder);
    folder_ = folder;
    if (const auto saved = model.Save(path()); !saved) throw Error(saved.error());
  }
  ~ModelFile() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  ModelFile(const ModelFile&) = delete;

  std::string path() const { return (folder_ / "model.onnx").string(); }

 private:
  fs::path folder_;
};

std::vector<at::Tensor> TensorsIn(const c10::IValue& value) {
  std::vector<at::Tensor> tensors;
  torch_export::VisitTensors(value, [&](const at::Tensor& tensor) { tensors.push_back(tensor); });
  return tensors;
}

// Copies the tensors, as a program may write to its inputs.
std::vector<ort::Tensor> InputsOf(const Model& model, const std::vector<c10::IValue>& examples) {
  std::vector<at::Tensor> tensors;
  for (const c10::IValue& example : examples) {
    for (const at::Tensor& tensor : TensorsIn(example)) tensors.push_back(tensor);
  }
  if (tensors.size() != model.inputs().size()) {
    throw Error(ErrorKind::kUsage, fmt::format("the examples have {} tensors, the model has {} inputs", tensors.size(),
                                               model.inputs().size()));
  }
  std::vector<ort::Tensor> inputs;
  for (size_t i = 0; i < tensors.size(); ++i) {
    inputs.push_back(verify::FromTorch(tensors[i]));
    inputs.back().name = model.inputs()[i].name;
  }
  return inputs;
}

// Runs outside an Interceptor: the program runs as its user runs it.
std::vector<at::Tensor> Expected(const TorchProgram& program, const std::vector<c10::IValue>& examples) {
  // Nobody needs gradients here, and for them LibTorch would keep all intermediate tensors.
  const c10::NoGradGuard no_grad;
  try {
    return TensorsIn(program.run(examples));
  } catch (const std::exception& error) {
    throw Error(Code::kNotCompared, fmt::format("the program fails: {}", error.what()));
  }
}

std::vector<std::string> Differences(const TorchProgram& program, const Model& model,
                                     const std::vector<c10::IValue>& examples, const VerifyOptions& options) {
  ort::Client client(ort::FindRunner(options.runner), options.onnxruntime);
  const ModelFile file(model);
  // The model runs first: InputsOf must copy the examples before the program can write to them.
  const ort::Response response =
      client.Run({.model_path = file.path(), .model_bytes = {}, .inputs = InputsOf(model, examples)});
  if (!response.error.empty()) throw Error(Code::kNotCompared, "ONNX Runtime: " + response.error);
  const std::vector<at::Tensor> expected = Expected(program, examples);
  if (response.outputs.size() != expected.size()) {
    return {fmt::format("the model has {} outputs, the program gives {} tensors", response.outputs.size(),
                        expected.size())};
  }
  std::vector<std::string> differences;
  for (size_t i = 0; i < expected.size(); ++i) {
    const ort::Tensor wanted = verify::FromTorch(expected[i]);
    const ort::Tolerance tolerance = verify::ToleranceFor(wanted, {options.absolute, options.relative});
    const std::string difference = ort::Difference(response.outputs[i], wanted, tolerance);
    if (!difference.empty()) differences.push_back(model.outputs()[i].name + ": " + difference);
  }
  return differences;
}

}  // namespace

Result<std::vector<std::string>> VerifyProgram(const TorchProgram& program, const Model& model,
                                               const std::vector<c10::IValue>& examples, const VerifyOptions& options) {
  return AtBorder([&] { return Differences(program, model, examples, options); });
}

}  // namespace onnxport
