#include "runtime/cli/messages.h"

#include <fmt/format.h>

#include <cstdio>

#include "runtime/base/text.h"

namespace onnxport::cli {
namespace {

void Write(std::FILE* file, std::string_view text) {
  const std::string visible = Visible(text);
  std::fwrite(visible.data(), 1, visible.size(), file);
}

}  // namespace

std::string Visible(std::string_view text) {
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

void Tell(std::string_view text) { Write(stderr, text); }
void Say(std::string_view text) { Write(stdout, text); }

}  // namespace onnxport::cli
