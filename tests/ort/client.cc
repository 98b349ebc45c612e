#include "tests/ort/client.h"

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace onnxport::ort {
namespace {

// The newest opset that the distribution's ONNX Runtime (1.23) runs.
constexpr int kNewestOpsetOfStableRunner = 22;

std::string RunnerPath(const char* variable) {
  const char* path = std::getenv(variable);
  if (path == nullptr) throw std::runtime_error(std::string(variable) + " is not set; run the test through Bazel");
  return path;
}

}  // namespace

Client& ReferenceClient() {
  static Client reference(RunnerPath("ORT_RUNNER_REFERENCE"));
  return reference;
}

Client& ClientFor(int opset) {
  static Client stable(RunnerPath("ORT_RUNNER"));
  if (opset <= kNewestOpsetOfStableRunner) return stable;
  static Client newest(RunnerPath("ORT_RUNNER_NEW"));
  return opset <= kNewestOpset ? newest : ReferenceClient();
}

}  // namespace onnxport::ort
