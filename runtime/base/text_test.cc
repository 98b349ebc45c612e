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

}  // namespace
}  // namespace onnxport
