#include "runtime/cli/flags.h"

#include <utility>
#include <vector>

namespace onnxport::cli {
namespace {

struct Flag {
  std::string_view written;  // in a program
  std::string_view flag;
};

// What begins with another one comes first. Functions stand with their text, which becomes the flag's.
constexpr Flag kFlags[] = {
    {"ParseInput(\"", "--input"},
    {"ParseOutput(\"", "--output"},
    {"ParseMapping(\"", "--map"},
    {"ParseDomain(\"", "--domain"},
    {"CheckAxes", "--check-axes"},
    {"(ExportOptions::traced_sizes, OtherTrace::sizes)", "(--sizes)"},
    {"without passes (ExportOptions::disabled_passes)", "with --no-fold"},
    {"ExportOptions::complex = kAsReal", "--complex as-real"},
    {"ExportOptions::custom_nodes", "--map"},
    {"ExportOptions::functions", "--functions"},
    {"ExportOptions::input_names", "--input-names"},
    {"ExportOptions::inputs", "--input"},
    {"ExportOptions::other_traces", "--and"},
    {"ExportOptions::output_names", "--output-names"},
    {"ExportOptions::parameter_names", "--parameter-names"},
    {"ExportOptions::keep_initializers_as_inputs", "--keep-initializers-as-inputs"},
    {"ExportOptions::keep", "--keep"},
    {"ExportOptions::quantized_weights: int8", "--weights-int8"},
    {"ExportOptions::quantized_weights: int4", "--weights-int4"},
    {"ExportOptions::quantized_weights: int2", "--weights-int2"},
    {"ExportOptions::quantized_weights: mxfp4", "--weights-mxfp4"},
    {"ExportOptions::quantized_weights: nvfp4", "--weights-nvfp4"},
    {"ExportOptions::quantized_weights", "--weights-int8, --weights-int4 ..."},
    {"QuantizedWeights::keep: ", "--weights-keep "},
    {"HalfPrecision::float32", "--float32"},
    {"ExportOptions::half_precision", "--float16, --bfloat16"},
    {"QuantizedWeights::keep", "--weights-keep"},
    {"ExportOptions::state_as_io", "--state-as-io"},
    {"ExportOptions::target_notes", "--target-notes"},
    {"ExportOptions::target", "--target"},
    {"ExportOptions::training", "--training"},
    {"ExportOptions::trust_source", "--trust-source"},
    {"ExportOptions::weights_as_inputs", "--no-weights"},
    {"ExportOptions::weights", "--weights"},
    {"VerifyOptions::onnxruntime", "--onnxruntime"},
};

constexpr std::string_view kEnd = "\")";

}  // namespace

std::string WithFlags(std::string_view message) {
  std::string text;
  while (!message.empty()) {
    // At each byte of the message, all rows. Messages are short and come once, so nothing faster is needed.
    const Flag* found = nullptr;
    for (const Flag& flag : kFlags) {
      if (found == nullptr && message.starts_with(flag.written)) found = &flag;
    }
    // A call's text is taken along: `ParseInput("n=5")` gives --input 'n=5'. Without an end it stays as it is.
    const bool call = found != nullptr && found->written.ends_with('"');
    const size_t end = call ? message.find(kEnd) : 0;
    if (found == nullptr || end == std::string_view::npos) {
      text += message.front();
      message.remove_prefix(1);
      continue;
    }
    text += found->flag;
    if (call) text.append(" '").append(message.substr(found->written.size(), end - found->written.size())).append("'");
    message.remove_prefix(call ? end + kEnd.size() : found->written.size());
  }
  return text;
}

Report WithFlags(const Report& report) {
  std::vector<Diagnostic> diagnostics = report.diagnostics();
  for (Diagnostic& diagnostic : diagnostics) diagnostic.reason = WithFlags(diagnostic.reason);
  return {report.kind(), std::move(diagnostics), WithFlags(report.headline())};
}

}  // namespace onnxport::cli
