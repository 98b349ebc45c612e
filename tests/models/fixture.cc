#include "tests/models/fixture.h"

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <ios>
#include <stdexcept>

#include "tests/ort/client.h"

namespace onnxport::models {

namespace fs = std::filesystem;

std::string Env(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return "";
  // In one piece: byte by byte, 100 MB take longer than ONNX Runtime does for the model in them.
  std::string bytes(fs::file_size(path), '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!in) throw std::runtime_error(path.string() + " cannot be read");
  return bytes;
}

std::vector<ort::Tensor> ReadTensors(const fs::path& folder, const std::string& kind) {
  std::vector<ort::Tensor> tensors;
  for (int i = 0;; ++i) {
    const fs::path path = folder / (kind + "_" + std::to_string(i) + ".pb");
    if (!fs::exists(path)) break;
    onnx::TensorProto proto;
    if (!proto.ParseFromString(ReadFile(path))) throw std::runtime_error(path.string() + " is no TensorProto");
    tensors.push_back({.name = proto.name(),
                       .dtype = static_cast<ir::DType>(proto.data_type()),
                       .shape = {proto.dims().begin(), proto.dims().end()},
                       .bytes = proto.raw_data()});
  }
  return tensors;
}

Outcome Export(const std::string& arguments, const fs::path& out, int opset) {
  const std::string log = out.string() + ".log";
  const std::string command = Env("EXPORTER") + " export " + arguments + " -o " + out.string() + " --opset " +
                              std::to_string(opset) + " >" + log + " 2>&1";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), ReadFile(log)};
}

ort::Response RunModel(const fs::path& path, const onnx::ModelProto& model, std::vector<ort::Tensor> inputs) {
  const int weights = model.ir_version() < 4 ? model.graph().initializer_size() : 0;
  const int expected = model.graph().input_size() - weights;
  if (static_cast<int>(inputs.size()) != expected) {
    return {.error = "the model has " + std::to_string(expected) + " inputs, not " + std::to_string(inputs.size()),
            .outputs = {}};
  }
  for (size_t i = 0; i < inputs.size(); ++i) inputs[i].name = model.graph().input(static_cast<int>(i)).name();
  const int opset = static_cast<int>(model.opset_import(0).version());
  return ort::ClientFor(opset).Run({.model_path = path.string(), .model_bytes = {}, .inputs = std::move(inputs)});
}

}  // namespace onnxport::models
