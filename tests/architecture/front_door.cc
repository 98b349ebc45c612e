// An example of a program that uses the library. Compiled by :headers_compile_alone, in every mode of the language.
#include <cstddef>
#include <iostream>
#include <span>
#include <utility>
#include <version>

#ifdef __cpp_lib_expected
#include <expected>
#endif

#include "onnxport/export.h"

#ifdef __cpp_lib_expected
template <typename T>
using Expected = std::expected<T, onnxport::Report>;
#else
template <typename T>
using Expected = onnxport::Expected<T, onnxport::Report>;
#endif

int main() {
  onnxport::ExportOptions options{.opset = 18};
  options.inputs.push_back(onnxport::TensorInput("x", onnxport::kFloat32, {onnxport::Sym("batch"), 3, 224, 224}));
  options.inputs.push_back(onnxport::TensorInput("n", onnxport::kInt64, {}));
  options.inputs.push_back(onnxport::TensorInput("y", onnxport::kFloat16));
  options.inputs.push_back(onnxport::ListInput("xs", onnxport::kFloat32, {onnxport::Sym("n"), 4}));
  options.inputs.push_back(onnxport::FixedInput("steps", 3));
  options.inputs.push_back(onnxport::FixedInput("scale", 0.5));
  options.inputs.push_back(onnxport::FixedInput("flag", true));
  options.inputs.push_back(onnxport::FixedInput("mode", "sum"));
  options.inputs.push_back(onnxport::FixedInput("mask", onnxport::None{}));
  if (auto input = onnxport::ParseInput("z=f32[batch,4]")) options.inputs.push_back(*std::move(input));
  Expected<onnxport::Model> model = onnxport::Export(onnxport::Source::File("model.pt2"), options);
  if (!model) {
    std::cerr << model.error().Text() << model.error().Json();
    for (const onnxport::Diagnostic& diagnostic : model.error().diagnostics()) std::cerr << diagnostic.op;
    return 1;
  }
  for (const onnxport::Port& port : model->inputs()) std::cout << port.name << onnxport::Name(port.dtype);
  const auto saved = model->Save("model.onnx", {.external_data = onnxport::ExternalData::kAlways});
  const auto streamed = model->Serialize([](std::span<const std::byte> piece) { return !piece.empty(); });
  const auto printed = model->Serialize(std::cout);
  const auto bytes = model->Bytes();
  return saved && streamed && printed && bytes ? 0 : 1;
}
