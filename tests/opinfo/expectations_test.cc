#include "tests/opinfo/expectations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace onnxport::opinfo {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// The output of the tool `outcomes` for the samples in `text`: "add pt f32 5 ok; add pt f64 1 wrong values".
Table Seen(const std::string& text) {
  std::string lines;
  for (const std::string& part : Split(text, "; ")) {
    std::istringstream words(part);
    std::string op, format, dtype, outcome;
    int count = 0;
    words >> op >> format >> dtype >> count >> std::ws;
    std::getline(words, outcome);
    for (int i = 0; i < count; ++i) lines += op + "\t" + format + "\t" + dtype + "\t" + outcome + "\n";
  }
  Table table;
  std::istringstream in(lines);
  AddOutcomes(in, &table);
  return table;
}

Expectations Read(const std::string& text) {
  std::istringstream in(text);
  return ReadExpectations(in);
}

std::string Written(const Expectations& expectations) {
  std::ostringstream out;
  WriteExpectations(expectations, out);
  return out.str();
}

constexpr char kLines[] =
    "ok 0: pt 3, pt2 5, 1a2b3c4d\n"
    "ok 1@18: pt 1, 00000abc\n"
    "ok 1@25: 0000000f\n"
    "add pt pt2@18: bool:2 = no kernel; bf16 = refused aten::add.Tensor@20; c64:1 = wrong values\n"
    "add.tiny pt2@25: f32 = reference\n";

TEST(Expectations, AreWrittenAsTheyAreRead) {
  const std::string text = Written(Read(kLines));
  EXPECT_THAT(text, EndsWith(kLines));
  EXPECT_EQ(Written(Read(text)), text);
}

TEST(Expectations, CountAtTheTop) {
  const std::string text = Written(Read(kLines));
  EXPECT_THAT(text, HasSubstr("# opset 18, pt: 12 samples: ok 4 (33.3 %), reference 0 (0.0 %), no kernel 2 (16.7 %), "
                              "refused 5 (41.7 %), cannot export 0 (0.0 %), wrong 1 (8.3 %)\n"));
  EXPECT_THAT(text, HasSubstr("# opset 25, pt2: 10 samples: ok 5 (50.0 %), reference 5 (50.0 %)"));
}

TEST(Expectations, RefuseOtherText) {
  for (const char* text : {"add: f32 = no kernel", "add pt: f32", "add pt: f32 = fine", "add pt: f32:x = ok",
                           "ok 1: pt 3", "ok x: pt 3, 0", "add pt@x: f32 = ok"}) {
    EXPECT_THROW(Read(text), std::exception) << text;
  }
}

TEST(Expectations, AreWhatWasSeenAtAnOpset) {
  Expectations expectations = Read(kLines);
  const Shards seen = {{1, Seen("add pt f32 5 ok; add pt bool 5 ok; sub pt f32 1 no kernel; sub pt f32 4 ok")}};
  Update(seen, 18, false, &expectations);
  EXPECT_THAT(Differences(expectations, seen, 18, false), IsEmpty());
  const std::string text = Written(expectations);
  EXPECT_THAT(text, HasSubstr("ok 1@18: pt 14, "));
  EXPECT_THAT(text, HasSubstr("add pt@18: bf16 = refused aten::add.Tensor@20; c64:1 = wrong values\n"));
  EXPECT_THAT(text, HasSubstr("sub pt@18: f32:1 = no kernel\n"));
  Update(seen, 18, true, &expectations);
  const std::string alone = Written(expectations);
  EXPECT_THAT(alone, HasSubstr("ok 0@25: pt 3, pt2 5, 1a2b3c4d\n"));
  EXPECT_THAT(alone, HasSubstr("add pt@25: bool:2 = no kernel"));
  EXPECT_THAT(alone, testing::Not(HasSubstr("pt2@18")));
}

Expectations Of(const Shards& seen) {
  Expectations expectations;
  Update(seen, 18, true, &expectations);
  return expectations;
}

TEST(Differences, NameASampleThatIsNoLongerOk) {
  const Shards better = {{0, Seen("add pt f32 5 ok")}};
  const Shards worse = {{0, Seen("add pt f32 4 ok; add pt f32 1 wrong values")}};
  EXPECT_THAT(Differences(Of(better), better, 18, true), IsEmpty());
  EXPECT_THAT(Differences(Of(better), worse, 18, false),
              ElementsAre("add pt f32: expected all ok; got 4 ok, 1 wrong values",
                          StartsWith("the samples of shard 0 that are ok: expected pt 5, ")));
  EXPECT_THAT(Differences(Of(worse), better, 18, false),
              ElementsAre("add pt f32: expected 1 wrong values, and others ok; got 5 ok",
                          StartsWith("the samples of shard 0 that are ok: expected pt 4, ")));
}

TEST(Differences, SeeASampleThatVanishes) {
  const Shards before = {{0, Seen("add pt f32 5 ok; sub pt f32 5 ok")}};
  const Shards fewer = {{0, Seen("add pt f32 5 ok; sub pt f32 4 ok")}};
  const Shards another = {{0, Seen("add pt f32 5 ok; sub pt f64 5 ok")}};
  for (const Shards& seen : {fewer, another}) {
    EXPECT_THAT(Differences(Of(before), seen, 18, false),
                ElementsAre(StartsWith("the samples of shard 0 that are ok: ")));
  }
}

TEST(Differences, OfWhatOneSideLacks) {
  const Shards one = {{3, Seen("add pt f32 1 ok; add pt f64 5 no kernel")}};
  EXPECT_THAT(Differences({}, one, 18, false),
              ElementsAre("add pt f64: expected all ok; got 5 no kernel", StartsWith("the samples of shard 3 ")));
  EXPECT_THAT(Differences(Of(one), {}, 18, true),
              ElementsAre("add pt f64: expected 5 no kernel, and others ok; got nothing",
                          StartsWith("the samples of shard 3 ")));
  EXPECT_THAT(Differences(Of(one), {}, 18, false), IsEmpty());
}

}  // namespace
}  // namespace onnxport::opinfo
