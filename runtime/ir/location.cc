#include "runtime/ir/location.h"

#include <fmt/format.h>

namespace onnxport::ir {

const SourceLine& Location::source_line() const {
  static const SourceLine kNowhere;
  return at ? *at : kNowhere;
}

std::string FileAndLine(const Location& location) {
  if (location.file().empty() || location.line() == 0) return location.file();
  return fmt::format("{}:{}", location.file(), location.line());
}

std::string InParentheses(const Location& location) {
  return location.file().empty() ? "" : fmt::format(" ({})", FileAndLine(location));
}

}  // namespace onnxport::ir
