#include "runtime/base/text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace onnxport {
namespace {

// A range of first bytes, the number of bytes that follow, and the range of the second byte.
struct Lead {
  unsigned char from, to;
  size_t more;
  unsigned char second_from, second_to;
};
constexpr Lead kLeads[] = {
    {0x00, 0x7f, 0, 0x80, 0xbf}, {0xc2, 0xdf, 1, 0x80, 0xbf}, {0xe0, 0xe0, 2, 0xa0, 0xbf},
    {0xe1, 0xec, 2, 0x80, 0xbf}, {0xed, 0xed, 2, 0x80, 0x9f}, {0xee, 0xef, 2, 0x80, 0xbf},
    {0xf0, 0xf0, 3, 0x90, 0xbf}, {0xf1, 0xf3, 3, 0x80, 0xbf}, {0xf4, 0xf4, 3, 0x80, 0x8f},
};

// Returns the length of the character at the front; 0 if it is invalid.
size_t CharacterLength(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  for (const Lead& lead : kLeads) {
    if (byte(0) < lead.from || byte(0) > lead.to) continue;
    if (text.size() <= lead.more) return 0;
    if (lead.more > 0 && (byte(1) < lead.second_from || byte(1) > lead.second_to)) return 0;
    for (size_t i = 2; i <= lead.more; ++i) {
      if (byte(i) < 0x80 || byte(i) > 0xbf) return 0;
    }
    return lead.more + 1;
  }
  return 0;
}

// Counts the ASCII characters at the front, eight at a time, as nearly all characters are ASCII.
size_t AsciiLength(std::string_view text) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  size_t length = 0;
  for (uint64_t eight; length + sizeof eight <= text.size(); length += sizeof eight) {
    std::memcpy(&eight, text.data() + length, sizeof eight);
    if ((eight & kHighBits) != 0) break;
  }
  while (length < text.size() && static_cast<unsigned char>(text[length]) < 0x80) ++length;
  return length;
}

std::string Hex(uint32_t number, int digits) {
  std::string out;
  for (int i = digits - 1; i >= 0; --i) out += "0123456789abcdef"[number >> (4 * i) & 15];
  return out;
}

// Returns the number of a character of two or three bytes. No longer character is escaped.
uint32_t CodeOf(std::string_view character) {
  const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(character[i])); };
  if (character.size() == 2) return (byte(0) & 0x1f) << 6 | (byte(1) & 0x3f);
  return (byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f);
}

bool IsHidden(uint32_t code) {
  constexpr struct {
    uint32_t first, last;
  } kHidden[] = {
      {0x80, 0x9f},      // C1
      {0x61c, 0x61c},    // a mark of the writing direction
      {0x200e, 0x200f},  // the other two marks
      {0x2028, 0x2029},  // line and paragraph separators
      {0x202a, 0x202e},  // embeddings and overrides of the writing direction
      {0x2066, 0x2069},  // isolates
  };
  for (const auto& range : kHidden) {
    if (code >= range.first && code <= range.last) return true;
  }
  return false;
}

// The first character of a text that is not empty, or its first byte if that begins no character.
struct First {
  std::string_view bytes;
  std::string escape;  // empty: shown as it is
};

First FirstOf(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text[0]);
  const size_t length = CharacterLength(text);
  First first{.bytes = text.substr(0, std::max<size_t>(length, 1)), .escape = {}};
  if (length == 0 || byte < 0x20) {
    first.escape = "\\x" + Hex(byte, 2);
  } else if (byte == 0x7f) {
    first.escape = "\\u007f";
  } else if ((length == 2 || length == 3) && IsHidden(CodeOf(first.bytes))) {
    first.escape = "\\u" + Hex(CodeOf(first.bytes), 4);
  }
  return first;
}

// `kept` lists control characters that stay.
std::string Escaped(std::string_view text, std::string_view kept) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    if (text[0] >= 0x20 && text[0] < 0x7f) {  // nearly always
      out += text[0];
      text.remove_prefix(1);
      continue;
    }
    const First first = FirstOf(text);
    const bool stays = first.escape.empty() || kept.find(text[0]) != std::string_view::npos;
    out += stays ? first.bytes : std::string_view(first.escape);
    text.remove_prefix(first.bytes.size());
  }
  return out;
}

// True for nearly every text.
bool IsPlain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7f; });
}

}  // namespace

bool IsUtf8(std::string_view text) {
  while (true) {
    text.remove_prefix(AsciiLength(text));
    if (text.empty()) return true;
    const size_t length = CharacterLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
}

std::string VisibleLine(std::string_view text) { return Escaped(text, ""); }

std::string VisibleText(std::string_view text) { return Escaped(text, "\n\t"); }

std::string WithoutHidden(std::string text, char instead) {
  if (IsPlain(text)) return text;
  std::string out;
  for (std::string_view rest = text; !rest.empty();) {
    const First first = FirstOf(rest);
    out += first.escape.empty() ? first.bytes : std::string_view(&instead, 1);
    rest.remove_prefix(first.bytes.size());
  }
  return out;
}

std::string Printable(std::string_view text) {
  constexpr size_t kMost = 100;
  if (text.size() <= kMost) return VisibleLine(text);
  size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // not inside a character
  return VisibleLine(text.substr(0, end)) + "...";
}

std::string_view Trim(std::string_view text, std::string_view spaces) {
  const size_t begin = text.find_first_not_of(spaces);
  return begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(spaces) - begin + 1);
}

}  // namespace onnxport
