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

// The check reads eight bytes at a time. It must find a character at each place, after any number of ASCII characters.
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

TEST(Visible, EscapesWhatSteersOrDeceives) {
  const struct {
    std::string_view text, line;
  } kCases[] = {
      {"plain (text) \\ \"x\"", "plain (text) \\ \"x\""},
      {"caf\xc3\xa9 \xe4\xb8\xad \xf0\x9f\x98\x80", "caf\xc3\xa9 \xe4\xb8\xad \xf0\x9f\x98\x80"},
      {"a\nb\tc\r", "a\\x0ab\\x09c\\x0d"},
      {"\x1b[2J\x07\x7f", "\\x1b[2J\\x07\\u007f"},
      {"\xc2\x80\xc2\x85\xc2\x9b\xc2\x9f\xc2\xa0", "\\u0080\\u0085\\u009b\\u009f\xc2\xa0"},
      {"\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xae\xe2\x81\xa6", "\\u2028\\u2029\\u202e\\u2066"},
      {"\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\x8d", "\\u061c\\u200e\\u200f\xe2\x80\x8d"},
      {"\xff\x9b\xc3", "\\xff\\x9b\\xc3"},
      {"\xe2\x80", "\\xe2\\x80"},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(VisibleLine(test.text), test.line);
    EXPECT_EQ(VisibleLine(VisibleLine(test.text)), test.line);
  }
  EXPECT_EQ(WithoutHidden("caf\xc3\xa9 a\n\x7f\xc2\x9b\xe2\x80\xae\xff\xe2\x80", '_'), "caf\xc3\xa9 a_______");
  EXPECT_EQ(WithoutHidden("plain", '_'), "plain");
  EXPECT_EQ(VisibleText("a\n\tb\r\xe2\x80\xae"), "a\n\tb\\x0d\\u202e");
}

TEST(Printable, IsCutBetweenCharacters) {
  EXPECT_EQ(Printable(std::string(100, 'a')), std::string(100, 'a'));
  EXPECT_EQ(Printable(std::string(99, 'a') + "\xc3\xa9"), std::string(99, 'a') + "...");
  EXPECT_EQ(Printable("a\n" + std::string(99, 'b')), "a\\x0a" + std::string(98, 'b') + "...");
}

}  // namespace
}  // namespace onnxport
