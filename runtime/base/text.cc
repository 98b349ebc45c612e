#include "runtime/base/text.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace onnxport {
namespace {

// Bytes after the first, and the range of the second one.
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

// Length of the character at the front; 0 when there is none.
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

// How many characters of ASCII stand at the front: nearly all that there is, so they are looked at eight at a time.
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

std::string Printable(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out;
  for (const char c : text.substr(0, 100)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      out += c;
    } else {
      out += std::string("\\x") + kHex[byte >> 4] + kHex[byte & 15];
    }
  }
  return text.size() > 100 ? out + "..." : out;
}

std::string_view Trim(std::string_view text, std::string_view spaces) {
  const size_t begin = text.find_first_not_of(spaces);
  return begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(spaces) - begin + 1);
}

}  // namespace onnxport
