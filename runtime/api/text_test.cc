#include "onnxport/text.h"

#include <gtest/gtest.h>

namespace onnxport::text_test {
namespace {

TEST(Visible, LeavesNothingThatSteersATerminal) {
  const struct {
    std::string_view text, visible;
  } kCases[] = {
      {"plain\n\ttext", "plain\n\ttext"},
      {"caf\xc3\xa9", "caf\xc3\xa9"},
      {"\x1b[2Jgone\r", "\\x1b[2Jgone\\x0d"},
      {"a\x7f", "a\\x7f"},
      {"\xc2\x9b"
       "2J",
       "\\xc2\\x9b2J"},
      {"\x9b"
       "2J\xc3",
       "\\x9b2J\\xc3"},
  };
  for (const auto& test : kCases) EXPECT_EQ(Visible(test.text), test.visible);
}

}  // namespace
}  // namespace onnxport::text_test
