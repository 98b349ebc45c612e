// Exports a model from within a C++ program: embed MODEL OUT.
//
// The model is taken from memory here, as a service would get it, and written twice: to a file, and piece by piece to
// wherever bytes can go.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "onnxport/export.h"

namespace {

onnxport::Source FromMemory(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  auto bytes = std::make_shared<std::string>(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  return onnxport::Source::Bytes(std::as_bytes(std::span(*bytes)), bytes, path);
}

void Print(const char* what, const onnxport::Port& port) {
  std::cout << what << ' ' << port.name << ": " << onnxport::Name(port.dtype);
  const char* before = "[";
  if (port.dims) {
    for (const onnxport::Dim& dim : *port.dims) std::cout << std::exchange(before, ", ") << dim.Text();
    std::cout << ']';
  }
  std::cout << '\n';
}

int Fail(const onnxport::Report& report) {
  std::cerr << report.Text() << "\n" << report.Json() << "\n";
  return static_cast<int>(report.kind());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: embed MODEL OUT\n";
    return 2;
  }
  onnxport::ExportOptions options{.opset = 18};
  options.deadline = std::chrono::steady_clock::now() + std::chrono::minutes(5);

  const onnxport::Result<onnxport::Model> model = onnxport::Export(FromMemory(argv[1]), options);
  if (!model) return Fail(model.error());
  for (const onnxport::Port& port : model->inputs()) Print("input", port);
  for (const onnxport::Port& port : model->outputs()) Print("output", port);

  const auto saved = model->Save(argv[2]);
  if (!saved) return Fail(saved.error());
  int64_t count = 0;
  const auto streamed = model->Serialize([&count](std::span<const std::byte> piece) {
    count += static_cast<int64_t>(piece.size());
    return true;
  });
  if (!streamed) return Fail(streamed.error());
  std::cout << saved->model_bytes << " bytes saved, " << count << " streamed\n";
  return 0;
}
