#include "runtime/base/option_names.h"

#include <gtest/gtest.h>

namespace onnxport {
namespace {

TEST(OptionNames, EachFrontEndHasItsOwn) {
  const std::string text = "take <<weights>>, or <<weights_as: int4:64>>, or <<float32>>";
  EXPECT_EQ(WithOptionNames(text, OptionInCpp),
            "take ExportOptions::weights, or ExportOptions::weights_as: \"int4:64\", or ExportOptions::float32");
  EXPECT_EQ(WithOptionNames(text, OptionAsKey), "take `weights`, or `weights_as`: \"int4:64\", or `float32`");
  EXPECT_EQ(MarkedOptions(text + " or <<weights>>"), (std::vector<std::string>{"weights", "weights_as", "float32"}));
}

// Names in a file may look like marks.
TEST(OptionNames, OtherTextStays) {
  for (const char* text :
       {"", "a << b", "<<", "<<>>", "<<A>>", "<<weights", "1 << 2 >> 3", "<<<>>>", "x>>", "<< a>>"}) {
    EXPECT_EQ(WithOptionNames(text, OptionInCpp), text);
    EXPECT_TRUE(MarkedOptions(text).empty()) << text;
  }
  EXPECT_EQ(WithOptionNames("<<<keep>>>", OptionAsKey), "<`keep`>");
}

// A forged name costs no more than its length.
TEST(OptionNames, LongTexts) {
  for (const char* piece : {"<", "<<", "<<a", "<<a: ", "<<a: >", ">", "<<A>>"}) {
    std::string text;
    while (text.size() < (1 << 21)) text += piece;
    EXPECT_EQ(WithOptionNames(text, OptionInCpp), text) << piece;
  }
}

}  // namespace
}  // namespace onnxport
