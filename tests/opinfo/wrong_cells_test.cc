#include "tests/opinfo/wrong_cells.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace onnxport::opinfo {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

WrongCells ReadWrong(const std::string& text, int opset = 18) {
  std::istringstream in(text);
  return ReadWrongCells(in, opset);
}

TEST(WrongCells, OfOneOpset) {
  constexpr const char* kText = "ONNX: why\n  add pt f32 f64@25\n";
  EXPECT_EQ(ReadWrong(kText, 18).size(), 1);
  EXPECT_TRUE(ReadWrong(kText, 25).contains({"add", "pt", "f64"}));
}

TEST(WrongCells, RefuseOtherLines) {
  for (const char* line : {"  add pt", "  add pt f32 f32"}) {
    EXPECT_THROW(ReadWrong(std::string("ONNX: why\n") + line), std::exception) << line;
  }
}

TEST(Unexplained, BothWays) {
  const Table actual = {{{"add", "pt", "f32"}, {{"ok", 4}, {"wrong values", 1}}},
                        {{"add", "pt", "f64"}, {{"ok", 5}}},
                        {{"add", "pt", "i32"}, {{"wrong run", 5}}}};
  EXPECT_THAT(Unexplained(ReadWrong("ONNX: why\n  add pt f32 i32\n"), actual, true), IsEmpty());
  EXPECT_THAT(Unexplained(ReadWrong("ONNX: why\n  add pt f32 f64\n"), actual, true),
              ElementsAre("add pt f64: is not wrong, take it out of wrong.txt",
                          "add pt i32: is wrong, and wrong.txt does not say why"));
}

TEST(Unexplained, OfCellsThatAreNotThere) {
  const WrongCells wrong = ReadWrong("ONNX: why\n  add pt f32\n");
  EXPECT_THAT(Unexplained(wrong, {}, false), IsEmpty());
  EXPECT_THAT(Unexplained(wrong, {}, true), ElementsAre("add pt f32: is in wrong.txt, but there is no such cell"));
}

}  // namespace
}  // namespace onnxport::opinfo
