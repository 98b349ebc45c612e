#include "codegen/load/placed_text.h"

#include "codegen/load/yaml.h"
#include "gtest/gtest.h"

namespace onnxport::codegen::placed_text_test {
namespace {

struct Case {
  std::string yaml;     // the value of the only key
  std::string decoded;  // what YAML makes of it
  std::string mark;     // a part of `decoded`
  int line, column;     // where that part starts
};
const Case kCases[] = {
    {"k: a + bad", "a + bad", "bad", 1, 8},
    {"k: 'a + bad'", "a + bad", "bad", 1, 9},
    {"k: \"a + bad\"", "a + bad", "bad", 1, 9},
    {"k: 'it''s bad'", "it's bad", "bad", 1, 11},
    {"k: '''''bad'", "''bad", "bad", 1, 9},
    {"k: \"a \\\"q\\\" bad\"", "a \"q\" bad", "bad", 1, 13},
    {"k: \"\\x41\\u00e9 bad\"", "A\xC3\xA9 bad", "bad", 1, 16},
    {"k: \"a\\\n   bad\"", "abad", "bad", 2, 4},
    {"k: a +\n    b +\n   bad", "a + b + bad", "bad", 3, 4},
    {"k: 'a +\n    bad'", "a + bad", "bad", 2, 5},
    {"k: \"a +\n    bad\"", "a + bad", "bad", 2, 5},
    {"k: >\n  a +\n  bad\n", "a + bad\n", "bad", 3, 3},
    {"k: >-\n  a\n\n  bad", "a\nbad", "bad", 4, 3},
    {"k: |\n  a\n  bad\n", "a\nbad\n", "bad", 3, 3},
    {"k: |-  # note\n    a  bad", "a  bad", "bad", 2, 8},
    {"k:   \xC3\xA9 bad", "\xC3\xA9 bad", "bad", 1, 9},
};

TEST(PlacedText, PointsIntoTheFile) {
  for (const Case& c : kCases) {
    Diagnostics diagnostics;
    const auto root = ReadYaml(std::make_shared<SourceFile>(SourceFile{"x.yaml", c.yaml}), &diagnostics);
    ASSERT_TRUE(root) << diagnostics.ToText();
    const PlacedText& text = root->items[0].text;
    EXPECT_EQ(text.text(), c.decoded) << c.yaml;
    const Place place = text.At(c.decoded.find(c.mark));
    EXPECT_EQ(place.line, c.line) << c.yaml;
    EXPECT_EQ(place.column, c.column) << c.yaml;
  }
}

TEST(PlacedText, PartsKeepTheirPlaces) {
  const PlacedText text("  a , b,c", Place{std::make_shared<SourceFile>(), 3, 10});
  const auto parts = Split(text, ',');
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].text(), "a");
  EXPECT_EQ(parts[0].At(0).column, 12);
  EXPECT_EQ(parts[1].text(), "b");
  EXPECT_EQ(parts[1].At(0).column, 16);
  EXPECT_EQ(parts[2].At(1).column, 19);
  EXPECT_EQ(parts[2].At(99).column, 19);
}

}  // namespace
}  // namespace onnxport::codegen::placed_text_test
