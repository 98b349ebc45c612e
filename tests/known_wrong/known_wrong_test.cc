#include "tests/known_wrong/known_wrong.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace onnxport {
namespace {

using testing::ElementsAre;

std::vector<KnownWrong> Read(const std::string& text) {
  std::istringstream in(text);
  return ReadKnownWrong(in);
}

TEST(KnownWrong, ReadsReasonsAndTheLinesBelowThem) {
  const auto known = Read("# a comment\n\nONNX: one\n  aten::a f32 f64\n  b\nPyTorch: two\n  aten::a f16\n");
  ASSERT_EQ(known.size(), 3u);
  EXPECT_EQ(known[0].reason, "ONNX: one");
  EXPECT_THAT(known[0].words, ElementsAre("aten::a", "f32", "f64"));
  EXPECT_EQ(known[1].reason, "ONNX: one");
  EXPECT_THAT(known[1].words, ElementsAre("b"));
  EXPECT_EQ(known[2].reason, "PyTorch: two");
}

TEST(KnownWrong, KeepsLinesAsTheyAre) {
  std::istringstream in("it just is\n    a.yaml: `x > 0  and y` is true\n");
  const auto excused = ReadExcused(in);
  ASSERT_EQ(excused.size(), 1u);
  EXPECT_EQ(excused[0].reason, "it just is");
  EXPECT_EQ(excused[0].line, "a.yaml: `x > 0  and y` is true");
}

TEST(KnownWrong, RefusesWhatHasNoOwnerOrNoReason) {
  for (const char* text : {"it just is\n  aten::a f32\n", "  aten::a f32\n", "ONNX Runtime\n  aten::a f32\n"}) {
    EXPECT_THROW(Read(text), std::exception) << text;
  }
}

}  // namespace
}  // namespace onnxport
