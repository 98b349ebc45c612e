#include "runtime/model/passes/quantize/join_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>

namespace onnxport::passes {
namespace {

constexpr size_t kMostNames = 8;

}  // namespace

std::string JoinNames(const std::vector<std::string>& names) {
  if (names.empty()) return "none";
  const auto shown = static_cast<ptrdiff_t>(std::min(names.size(), kMostNames));
  return fmt::format("{}{}", fmt::join(names.begin(), names.begin() + shown, ", "),
                     names.size() > kMostNames ? fmt::format(" and {} more", names.size() - kMostNames) : "");
}

}  // namespace onnxport::passes
