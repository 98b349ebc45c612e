#include "codegen/check/opset_text.h"

#include <fmt/format.h>

namespace onnxport::codegen {

std::string OpsetText(const std::set<int>& opsets) {
  std::string text = "opset";
  const char* separator = " ";
  for (auto at = opsets.begin(); at != opsets.end();) {
    const int first = *at;
    int last = first;
    while (++at != opsets.end() && *at == last + 1) ++last;
    text += separator + (first == last ? fmt::format("{}", first) : fmt::format("{} to {}", first, last));
    separator = ", ";
  }
  return text;
}

}  // namespace onnxport::codegen
