#include "onnxport/text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace onnxport::text_test {
namespace {

TEST(Visible, LeavesNothingThatSteersATerminal) {
  const struct {
    std::string_view text, visible;
  } kCases[] = {
      {"plain\n\ttext", "plain\n\ttext"},
      {"caf\xc3\xa9", "caf\xc3\xa9"},
      {"\x1b[2Jgone\r", "\\x1b[2Jgone\\x0d"},
      {"a\x7f", "a\\u007f"},
      {"\xc2\x9b"
       "2J",
       "\\u009b2J"},
      {"\x9b"
       "2J\xc3",
       "\\x9b2J\\xc3"},
  };
  for (const auto& test : kCases) EXPECT_EQ(Visible(test.text), test.visible);
  EXPECT_EQ(VisibleName("a\n\tb\xe2\x80\xae"), "a\\x0a\\x09b\\u202e");
}

// Escapes in the text of JSON leave its values as they are.
TEST(Visible, LeavesValuesOfJson) {
  const nlohmann::json value = {{"a\\\x7f\xc2\x9b", "\\\xe2\x80\xae\n\x1b"}};
  const std::string text = Visible(value.dump(2));
  EXPECT_EQ(nlohmann::json::parse(text), value);
  EXPECT_EQ(text.find_first_of("\x7f\xc2\xe2\x1b"), text.npos);
}

}  // namespace
}  // namespace onnxport::text_test
