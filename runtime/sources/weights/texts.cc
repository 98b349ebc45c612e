#include "runtime/sources/weights/texts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace onnxport::weights {
namespace {

constexpr size_t kMostNames = 5;

}  // namespace

std::string ListText(std::vector<std::string> names) {
  const size_t more = names.size() > kMostNames ? names.size() - kMostNames : 0;
  names.resize(names.size() - more);
  return fmt::format("{}{}", fmt::join(names, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

std::string TypeText(ir::DType dtype, const std::vector<int64_t>& shape) {
  return fmt::format("{}[{}]", ir::Name(dtype), fmt::join(shape, ", "));
}

}  // namespace onnxport::weights
