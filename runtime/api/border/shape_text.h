// Sizes as `--input` and `--output` write them.
#ifndef ONNXPORT_RUNTIME_API_BORDER_SHAPE_TEXT_H_
#define ONNXPORT_RUNTIME_API_BORDER_SHAPE_TEXT_H_

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "onnxport/dim.h"

namespace onnxport {

// "[batch=1..64,3]"
inline std::string ShapeText(const std::vector<Dim>& dims) {
  std::string text;
  for (const Dim& dim : dims) {
    text += (text.empty() ? "" : ",") + dim.Text();
    if (dim.min() || dim.max()) {
      const auto bound = [](const std::optional<int64_t>& size) { return size ? std::to_string(*size) : ""; };
      text += fmt::format("={}..{}", bound(dim.min()), bound(dim.max()));
    }
  }
  return "[" + text + "]";
}

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_API_BORDER_SHAPE_TEXT_H_
