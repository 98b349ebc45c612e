#include "runtime/base/glob.h"

#include <cstddef>

namespace onnxport {

// After a mismatch only the last `*` may take one byte more; the earlier ones keep what they took. So the time is at
// most the product of both lengths.
bool MatchesGlob(std::string_view text, std::string_view pattern) {
  size_t at = 0;
  size_t in_pattern = 0;
  size_t star = std::string_view::npos;
  size_t taken = 0;  // where the text continues after the part that the last `*` took
  while (at < text.size()) {
    if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
      star = in_pattern++;
      taken = at;
    } else if (in_pattern < pattern.size() && (pattern[in_pattern] == '?' || pattern[in_pattern] == text[at])) {
      ++in_pattern;
      ++at;
    } else if (star != std::string_view::npos) {
      in_pattern = star + 1;
      at = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', in_pattern) == std::string_view::npos;
}

bool MatchesPath(std::string_view name, std::string_view pattern) {
  if (MatchesGlob(name, pattern)) return true;
  for (size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.', dot + 1)) {
    if (MatchesGlob(name.substr(0, dot), pattern)) return true;
  }
  return false;
}

}  // namespace onnxport
