#include "onnxport/text.h"

#include <fmt/format.h>

#include "runtime/base/text.h"

namespace onnxport {

std::string Visible(std::string_view text) {
  // Text that is no UTF-8 as a whole is shown byte by byte: a terminal might take any of its bytes above 0x7f for a
  // command.
  const bool utf8 = IsUtf8(text);
  std::string visible;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // U+0080 to U+009F are control characters, too.
    const bool wide_control = byte == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    const bool control = (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f || wide_control;
    if (control || (!utf8 && byte >= 0x80)) {
      visible += fmt::format("\\x{:02x}", byte);
      if (wide_control && utf8) visible += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[++i]));
    } else {
      visible += text[i];
    }
  }
  return visible;
}

}  // namespace onnxport
