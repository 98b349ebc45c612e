#include "tests/opinfo/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace onnxport::opinfo {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kLines[] =
    "add pt: bool:3 f32 = ok; bool:2 = no kernel; bf16 = refused aten::add.Tensor@20; c64:1 = wrong values\n"
    "add.tiny pt2: f32 = ok\n";

Table Read(const std::string& text) {
  std::istringstream in(text);
  return ReadTable(in);
}

std::string Written(const Table& table) {
  std::ostringstream out;
  WriteTable(table, out);
  return out.str();
}

TEST(Table, IsWrittenAsItIsRead) {
  const std::string text = Written(Read(kLines));
  EXPECT_THAT(text, testing::EndsWith(kLines));
  EXPECT_EQ(Written(Read(text)), text);
}

TEST(Table, CountsAtTheTop) {
  EXPECT_THAT(
      Written(Read(kLines)),
      HasSubstr("# pt: 16 samples: ok 8 (50.0 %), reference 0 (0.0 %), no kernel 2 (12.5 %), refused 5 (31.2 %), "
                "cannot export 0 (0.0 %), wrong 1 (6.2 %)\n# pt2: 5 samples: ok 5 (100.0 %)"));
}

TEST(Table, TakesOutcomes) {
  Table table;
  std::istringstream in("add\tpt\tf32\tok\t0\t()\t\nadd\tpt\tf32\twrong type\t1\t()\twhy\nadd\tpt\tf32\tok\t2\t()\t\n");
  AddOutcomes(in, &table);
  EXPECT_THAT(Written(table), testing::EndsWith("add pt: f32:2 = ok; f32:1 = wrong type\n"));
}

TEST(Table, RefusesOtherText) {
  for (const char* text : {"add: f32 = ok", "add pt: f32", "add pt: f32 = fine", "add pt: f32:x = ok"}) {
    EXPECT_THROW(Read(text), std::exception) << text;
  }
}

TEST(Differences, BothWays) {
  const Table better = Read("add pt: f32 = ok");
  const Table worse = Read("add pt: f32:4 = ok; f32:1 = wrong values");
  EXPECT_THAT(Differences(better, better, true), IsEmpty());
  EXPECT_THAT(Differences(better, worse, false), ElementsAre("add pt f32: expected 5 ok; got 4 ok, 1 wrong values"));
  EXPECT_THAT(Differences(worse, better, false), ElementsAre("add pt f32: expected 4 ok, 1 wrong values; got 5 ok"));
}

TEST(Differences, OfCellsThatOneSideLacks) {
  const Table one = Read("add pt: f32 = ok");
  EXPECT_THAT(Differences({}, one, false), ElementsAre("add pt f32: expected nothing; got 5 ok"));
  EXPECT_THAT(Differences(one, {}, true), ElementsAre("add pt f32: expected 5 ok; got nothing"));
  EXPECT_THAT(Differences(one, {}, false), IsEmpty());
}

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
  const Table actual = Read("add pt: f32:4 f64 = ok; f32:1 = wrong values; i32 = wrong run");
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
