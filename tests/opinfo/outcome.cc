#include "tests/opinfo/outcome.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "onnx/checker.h"
#include "onnx/onnx_pb.h"
#include "onnxport/export.h"
#include "runtime/verify/ort/compare.h"
#include "runtime/verify/ort/elements.h"
#include "tests/ort/client.h"
#include "tests/ort/missing_kernel.h"

namespace onnxport::opinfo {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLongestReason = 70;

// The tolerance for a result, by its dtype.
ort::Tolerance DTypeTolerance(ir::DType dtype) {
  switch (dtype) {
    case ir::DType::kBFloat16:
      return {.relative = 3e-2, .absolute = 3e-2};
    case ir::DType::kFloat16:
      return {.relative = 1e-2, .absolute = 1e-2};
    case ir::DType::kFloat64:
      return {.relative = 1e-7, .absolute = 1e-8};
    default:
      return {.relative = 1e-4, .absolute = 1e-5};
  }
}

// Terms that cancel leave the rounding of what they were. Inputs are at most 9, so larger results come from other than
// sums, and are no measure of terms.
ort::Tolerance ToleranceOf(const ort::Tensor& expected) {
  constexpr double kLargestTerm = 1;
  ort::Tolerance tolerance = DTypeTolerance(expected.dtype);
  tolerance.absolute *= std::clamp(ort::Largest(expected), 1.0, kLargestTerm);
  return tolerance;
}

// Nothing when the export succeeds.
std::optional<Outcome> ExportTo(const fs::path& path, const fs::path& archive, int opset) {
  const auto failed = [](const Report& report) {
    const bool refused = report.kind() == ErrorKind::kCannotExport;
    return Outcome{refused ? "refused " + RefusalClass(report.Text()) : "wrong error", report.Text()};
  };
  const Result<Model> model = Export(Source::File(archive), {.opset = opset});
  if (!model) return failed(model.error());
  const auto saved = model->Save(path);
  if (!saved) return failed(saved.error());
  return std::nullopt;
}

std::optional<Outcome> Check(const onnx::ModelProto& model) {
  try {
    onnx::checker::check_model(model, /*full_check=*/true);
  } catch (const std::exception& error) {
    return Outcome{"wrong model", error.what()};
  }
  return std::nullopt;
}

// ONNX Runtime says by the text alone at which stage it failed.
Outcome RuntimeFailure(const std::string& error) {
  const bool runs = error.find("Non-zero status code returned while running") != std::string::npos;
  return {runs ? "wrong run" : "wrong model", error};
}

std::optional<Outcome> Compare(const Sample& sample, const std::vector<ort::Tensor>& actual) {
  if (actual.size() != sample.outputs.size()) {
    return Outcome{"wrong type",
                   std::to_string(actual.size()) + " results, PyTorch gives " + std::to_string(sample.outputs.size())};
  }
  for (const bool values : {false, true}) {
    for (size_t i = 0; i < actual.size(); ++i) {
      if (values && !sample.values.at(i)) continue;
      const ort::Tensor& expected = sample.outputs[i];
      const std::string difference = ort::Difference(actual[i], expected, ToleranceOf(expected), values);
      if (difference.empty()) continue;
      return Outcome{values ? "wrong values" : "wrong type", "result " + std::to_string(i) + ": " + difference};
    }
  }
  return std::nullopt;
}

// The reference evaluator has faults of its own, so a difference from it proves nothing.
Outcome WithoutKernel(const Sample& sample, const ort::Request& request, const std::string& error) {
  const auto response = ort::ReferenceClient().Run(request);
  if (!response.error.empty()) return {"no kernel", error + "; reference: " + response.error};
  if (auto difference = Compare(sample, response.outputs))
    return {"no kernel", error + "; reference: " + difference->detail};
  return {"reference", error};
}

Outcome RunAndCompare(const Sample& sample, const fs::path& path, int opset) {
  onnx::ModelProto model;
  std::ifstream in(path, std::ios::binary);
  if (!model.ParseFromIstream(&in)) return {"wrong model", "it cannot be parsed"};
  if (auto failure = Check(model)) return *failure;
  std::vector<ort::Tensor> inputs = sample.inputs;
  const int weights = model.ir_version() < 4 ? model.graph().initializer_size() : 0;
  if (inputs.size() != static_cast<size_t>(model.graph().input_size() - weights)) {
    return {"wrong type", std::to_string(model.graph().input_size()) + " inputs for " + std::to_string(inputs.size())};
  }
  for (size_t i = 0; i < inputs.size(); ++i) inputs[i].name = model.graph().input(static_cast<int>(i)).name();
  const ort::Request request{.model_path = path, .model_bytes = {}, .inputs = inputs};
  const auto response = ort::ClientFor(opset).Run(request);
  if (ort::MissingKernel(response.error)) return WithoutKernel(sample, request, response.error);
  if (!response.error.empty()) return RuntimeFailure(response.error);
  if (auto difference = Compare(sample, response.outputs)) return *difference;
  return {"ok", ""};
}

// "  aten::foo (2 calls): reason" -> "aten::foo", with "no spec" before it where that is the reason; nothing when the
// line is of another form.
std::optional<std::string> OperatorOf(const std::string& line) {
  const size_t end = line.find(" (");
  if (!line.starts_with("  ") || line[2] == ' ' || end == std::string::npos) return std::nullopt;
  const std::string name = line.substr(2, end - 2);
  if (name.find(' ') != std::string::npos || name.find("::") == std::string::npos) return std::nullopt;
  return line.find("no spec says how", end) == std::string::npos ? name : "no spec " + name;
}

// Messages of one export that differ only in numbers are one reason.
std::string Reason(std::string_view text) {
  std::string reason;
  for (const char c : text.substr(0, text.find('\n'))) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (digit && reason.ends_with('#')) continue;
    reason += digit ? '#' : c == ';' || c == '=' ? ',' : c;
  }
  return reason.substr(0, kLongestReason);
}

}  // namespace

std::string RefusalClass(std::string_view report) {
  constexpr std::string_view kCan = "      opset ";
  std::vector<std::string> operators;
  std::istringstream lines{std::string(report)};
  std::string other;
  std::getline(lines, other);
  bool is_first = true;
  for (std::string line; std::getline(lines, line);) {
    if (const auto name = OperatorOf(line)) {
      operators.push_back(*name);
    } else if (line.starts_with(kCan) && !operators.empty()) {
      operators.back() += "@" + line.substr(kCan.size(), line.find(' ', kCan.size()) - kCan.size());
    } else if (is_first) {
      other = line.substr(std::min(line.size(), line.find_first_not_of(' ')));
    }
    is_first = false;
  }
  if (operators.empty()) return Reason(other);
  std::string joined;
  for (const std::string& name : std::set<std::string>(operators.begin(), operators.end())) {
    joined += (joined.empty() ? "" : ", ") + name;
  }
  return joined;
}

Outcome Try(const Sample& sample, const Archive& archive, int opset, const fs::path& folder) {
  if (archive.bytes.empty()) return {"cannot export", archive.why};
  const fs::path source = folder / ("sample." + archive.extension);
  const fs::path model = folder / "sample.onnx";
  std::ofstream(source, std::ios::binary) << archive.bytes;
  const auto failure = ExportTo(model, source, opset);
  Outcome outcome = failure ? *failure : RunAndCompare(sample, model, opset);
  fs::remove(source);
  fs::remove(model);
  return outcome;
}

}  // namespace onnxport::opinfo
