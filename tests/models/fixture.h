// The folders that make/make_model.py and make/make_recipe.py write, and the command that is tested on them.
#ifndef ONNXPORT_TESTS_MODELS_FIXTURE_H_
#define ONNXPORT_TESTS_MODELS_FIXTURE_H_

#include <filesystem>
#include <string>
#include <vector>

#include "onnx/onnx_pb.h"
#include "runtime/verify/ort/protocol.h"

namespace onnxport::models {

std::string Env(const char* name);  // "" when it is not set

std::string ReadFile(const std::filesystem::path& path);

// The tensors `KIND_0.pb`, `KIND_1.pb` ... of a folder.
std::vector<ort::Tensor> ReadTensors(const std::filesystem::path& folder, const std::string& kind);

struct Outcome {
  int status;  // 128 and more: a signal
  std::string text;
};

// `exporter export ARGUMENTS -o OUT --opset OPSET`, by a shell. Leaves OUT.log.
Outcome Export(const std::string& arguments, const std::filesystem::path& out, int opset);

// Runs `model`, which lies in `path`, with the inputs in order.
ort::Response RunModel(const std::filesystem::path& path, const onnx::ModelProto& model,
                       std::vector<ort::Tensor> inputs);

}  // namespace onnxport::models

#endif  // ONNXPORT_TESTS_MODELS_FIXTURE_H_
