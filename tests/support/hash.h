// A number that stands for a text or a list: tables of expectations have it in place of what is long.
#ifndef ONNXPORT_TESTS_SUPPORT_HASH_H_
#define ONNXPORT_TESTS_SUPPORT_HASH_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace onnxport::tests {

// FNV-1a: the same everywhere.
inline uint32_t HashOf(std::string_view text) {
  uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

// The hash of the lines in their order.
template <typename Lines>
uint32_t HashOfLines(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return HashOf(text);
}

}  // namespace onnxport::tests

#endif  // ONNXPORT_TESTS_SUPPORT_HASH_H_
