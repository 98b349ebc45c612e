#include "runtime/sources/torchscript/interpret/builtins/text_search.h"

#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"

namespace onnxport::torchscript {
namespace {

// All texts of `a` and `b` with at most `most` letters.
std::vector<std::string> TextsUpTo(size_t most) {
  std::vector<std::string> texts = {""};
  for (size_t i = 0; i < texts.size(); ++i) {
    const std::string text = texts[i];
    if (text.size() == most) break;
    texts.push_back(text + "a");
    texts.push_back(text + "b");
  }
  return texts;
}

TEST(TextSearch, FindsWhatTheStandardLibraryFinds) {
  static_assert(TextSearch::kNowhere == std::string_view::npos);
  for (const std::string& wanted : TextsUpTo(5)) {
    const TextSearch search(wanted);
    for (const std::string& text : TextsUpTo(8)) {
      EXPECT_EQ(search.Last(text), text.rfind(wanted)) << text << " in which is searched for " << wanted;
      for (size_t from = 0; from <= text.size() + 1; ++from)
        EXPECT_EQ(search.First(text, from), text.find(wanted, from)) << text << ", " << wanted << ", " << from;
    }
  }
}

}  // namespace
}  // namespace onnxport::torchscript
