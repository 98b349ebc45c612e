#include "codegen/load/characters.h"

#include <cstdint>

#include "fmt/format.h"

namespace onnxport::codegen {
namespace {

struct CodePoint {
  uint32_t value;
  size_t length;  // 0: not UTF-8
};

// Decodes strictly: no overlong forms, no surrogates, nothing above U+10FFFF.
CodePoint Decode(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  // The first byte says how many follow: 0xxxxxxx none, 110xxxxx one, 1110xxxx two, 11110xxx three; each of those is
  // 10xxxxxx.
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {lead, 0};
  uint32_t value = lead & (0x7F >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {lead, 0};
    value = value << 6 | (byte(i) & 0x3F);
  }
  // An overlong form writes a character with more bytes than it needs, so that a check of bytes would not find it: 0xC0
  // 0xAF for "/".
  const uint32_t smallest = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
  if (value < smallest || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return {lead, 0};
  return {value, length};
}

bool IsControl(uint32_t c) { return (c < 0x20 && c != '\n') || (c >= 0x7F && c < 0xA0); }

// Byte order mark, zero-width and direction marks, line and paragraph separators, tags. With these a line can look
// different to a reviewer than to the generator ("Trojan Source"), and specs become C++.
bool IsInvisible(uint32_t c) {
  return c == 0xFEFF || c == 0xAD || c == 0x61C || (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x206F) || (c >= 0xE0000 && c <= 0xE0FFF);
}

}  // namespace

std::optional<BadCharacter> FindBadCharacter(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const CodePoint c = Decode(text.substr(i));
    if (c.length == 0) return BadCharacter{i, fmt::format("byte 0x{:02X} is not UTF-8", c.value)};
    if (c.value == '\t') return BadCharacter{i, "a tab; write spaces"};
    if (c.value == '\r') return BadCharacter{i, "a carriage return; end lines with a line feed alone"};
    if (IsControl(c.value)) return BadCharacter{i, fmt::format("control character U+{:04X}", c.value)};
    if (IsInvisible(c.value)) return BadCharacter{i, fmt::format("invisible character U+{:04X}", c.value)};
    i += c.length;
  }
  return std::nullopt;
}

}  // namespace onnxport::codegen
