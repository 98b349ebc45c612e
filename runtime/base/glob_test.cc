#include "runtime/base/glob.h"

#include <gtest/gtest.h>

#include <string>

namespace onnxport {
namespace {

TEST(Glob, Matches) {
  const struct {
    const char* text;
    const char* pattern;
    bool matches;
  } kCases[] = {
      {"fc.weight", "fc.weight", true},
      {"fc.weight", "fc.*", true},
      {"fc.weight", "*", true},
      {"fc.weight", "*weight", true},
      {"fc.weight", "f*w*t", true},
      {"fc.weight", "fc?weight", true},
      {"fc.weight", "fc", false},
      {"fc.weight", "c.*", false},
      {"fc.weight", "f*w*x", false},
      {"", "", true},
      {"", "*", true},
      {"", "?", false},
      {"a", "", false},
      {"aab", "*ab", true},
      {"abcabd", "*ab?", true},
      {"abcabd", "*ab", false},
      {"fc.weight", "fc.**t*", true},
      {"[a]", "[a]", true},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(MatchesGlob(test.text, test.pattern), test.matches) << test.text << " and " << test.pattern;
  }
  EXPECT_FALSE(MatchesGlob(std::string(5000, 'a'), "*a*a*a*a*a*a*a*a*b"));  // and soon returns
}

TEST(Glob, Paths) {
  EXPECT_TRUE(MatchesPath("layers.0.fc.weight", "layers.0"));
  EXPECT_TRUE(MatchesPath("layers.0.fc.weight", "*.fc"));
  EXPECT_TRUE(MatchesPath("layers.0.fc.weight", "layers.?.fc.weight"));
  EXPECT_FALSE(MatchesPath("layers.0.fc.weight", "layers.1"));
  EXPECT_FALSE(MatchesPath("layers.10.fc.weight", "layers.1"));
  EXPECT_FALSE(MatchesPath("fc.weight", "weight"));
}

}  // namespace
}  // namespace onnxport
