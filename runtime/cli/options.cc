#include "runtime/cli/options.h"

#include <chrono>
#include <utility>

namespace onnxport::cli {

std::optional<Report> Complete(ExportArguments* arguments) {
  for (const std::string& text : arguments->inputs) {
    Result<Input> input = ParseInput(text);
    if (!input) return input.error();
    arguments->options.inputs.push_back(*std::move(input));
  }
  if (arguments->max_seconds != 0) {
    arguments->options.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(arguments->max_seconds);
  }
  return std::nullopt;
}

}  // namespace onnxport::cli
