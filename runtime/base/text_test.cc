#include "runtime/base/text.h"

#include "gtest/gtest.h"

namespace onnxport {
namespace {

TEST(Utf8, Accepts) {
  for (const std::string_view text :
       {"", "abc", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf", "\xed\x9f\xbf"}) {
    EXPECT_TRUE(IsUtf8(text)) << text;
  }
}

TEST(Utf8, Refuses) {
  // Lone, overlong, surrogate, beyond Unicode, cut off.
  for (const std::string_view text : {"\x80", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc3",
                                      "\xe2\x82", "\xf0\x9f\x98", "a\xff"}) {
    EXPECT_FALSE(IsUtf8(text)) << text;
  }
}

// ASCII is looked at eight bytes at a time: whatever stands before a character, and however much of it.
TEST(Utf8, FindsWhatIsNoneBehindAscii) {
  for (size_t before = 0; before < 20; ++before) {
    for (size_t after = 0; after < 20; ++after) {
      const std::string a(before, 'a');
      const std::string b(after, 'b');
      EXPECT_TRUE(IsUtf8(a + "\xc3\xa9" + b)) << before << " " << after;
      EXPECT_FALSE(IsUtf8(a + "\xa9" + b)) << before << " " << after;
      EXPECT_FALSE(IsUtf8(a + "\xc3" + b)) << before << " " << after;
    }
  }
}

}  // namespace
}  // namespace onnxport
