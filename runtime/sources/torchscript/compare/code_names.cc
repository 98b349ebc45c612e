#include "runtime/sources/torchscript/compare/code_names.h"

#include <algorithm>
#include <cstddef>

namespace onnxport::torchscript {

std::string WithoutMangling(std::string_view name) {
  constexpr std::string_view kMark = "___torch_mangle_";
  std::string plain;
  for (size_t at = 0; at <= name.size();) {
    const size_t end = std::min(name.find('.', at), name.size());
    const std::string_view part = name.substr(at, end - at);
    if (!part.starts_with(kMark)) plain += (plain.empty() ? "" : ".") + std::string(part);
    at = end + 1;
  }
  return plain;
}

}  // namespace onnxport::torchscript
