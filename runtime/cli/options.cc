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
  CustomNodes& custom = arguments->options.custom_nodes;
  for (const std::string& text : arguments->maps) {
    Result<OperatorMapping> mapping = ParseMapping(text);
    if (!mapping) return mapping.error();
    custom.mappings.push_back(*std::move(mapping));
  }
  for (const std::string& text : arguments->domains) {
    Result<DomainVersion> domain = ParseDomain(text);
    if (!domain) return domain.error();
    custom.domain_versions.insert(*std::move(domain));
  }
  if (arguments->max_seconds != 0) {
    arguments->options.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(arguments->max_seconds);
  }
  return std::nullopt;
}

}  // namespace onnxport::cli
