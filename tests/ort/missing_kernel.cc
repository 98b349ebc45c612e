#include "tests/ort/missing_kernel.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "runtime/verify/ort/protocol.h"

namespace onnxport::ort {
namespace {

// Kernels that take some dtypes only say so when they run, with another code: LSTM and its kin of float64, ScatterND
// and ScatterElements with a reduction.
constexpr std::array<std::string_view, 2> kOfDType = {"does not support double", "data type is not supported with"};

// It gives every domain a version, but has no schema of what it does not know: "Fatal error: acme:Foo(-1) is not ...".
constexpr std::string_view kOfDomain = " is not a registered function/op";

bool IsMissing(const std::string& error) {
  return error.starts_with(kNotImplemented) || error.find(kOfDomain) != std::string::npos ||
         std::ranges::any_of(kOfDType, [&](std::string_view text) { return error.find(text) != std::string::npos; });
}

}  // namespace

std::optional<std::string> MissingKernel(const std::string& error) {
  if (!IsMissing(error)) return std::nullopt;
  for (const std::string_view before : {"implementation for ", "running ", "Fatal error: "}) {
    const size_t at = error.find(before);
    if (at == std::string::npos) continue;
    const size_t start = at + before.size();
    return error.substr(start, error.find_first_of("( ", start) - start);
  }
  return "unknown";
}

bool IsOfUnknownDomain(const std::string& op) { return op.find(':') != std::string::npos; }

}  // namespace onnxport::ort
