#include "tests/conformance/expectations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "runtime/ir/dtype.h"
#include "tests/conformance/cell.h"

namespace onnxport::conformance {
namespace {

using ir::DType;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using Kind = Outcome::Kind;

const Outcome kRefused = {.kind = Kind::kRefused, .text = "takes no float32; of 2 axes"};
const Outcome kWrong = {.kind = Kind::kWrong, .difference = "NaN", .graph = 7};

Section Relu() {
  Section section("aten::relu");
  section.Add("(self=T[2])", DType::kFloat32, 7, {});
  section.Add("(self=T[2])", DType::kFloat32, 14, {});
  return section;
}

Section With(const std::string& call, DType dtype, int opset, const Outcome& outcome) {
  Section section = Relu();
  section.Add(call, dtype, opset, outcome);
  return section;
}

TEST(Section, CountsWhatAgreesAndListsTheRest) {
  Section section = Relu();
  for (const char* call : {"(self=T[2])", "(self=T[])"}) section.Add(call, DType::kFloat64, 7, kRefused);
  section.Add("(self=T[2])", DType::kFloat16, 7, kWrong);
  section.Add("(self=T[3])", DType::kFloat16, 7, {.kind = Kind::kPartly, .text = "out1"});
  section.Add("(self=T[2])", DType::kBool, 7, {.kind = Kind::kNotRun, .text = "tried"});
  EXPECT_THAT(section.ToText(), testing::MatchesRegex("aten::relu: 3 of 7 agree, [0-9a-f]+: f16@7 f32@7,14\n"
                                                      "  lacks f16@7: out1 . .self=T.3..\n"
                                                      "  not run here bool@7\n"
                                                      "  refused f64@7: takes no float32 . .self=T.2..; .self=T...\n"
                                                      "  wrong f16@7: NaN [0-9a-f]+ . .self=T.2..\n"));
}

TEST(Section, OfNothingThatAgrees) {
  Section section("aten::relu");
  section.Add("(self=T[2])", DType::kFloat64, 7, kRefused);
  EXPECT_THAT(section.ToText(), StartsWith("aten::relu: 0 of 1 agree\n"));
}

TEST(Differences, NameTheCellThatNoLongerAgrees) {
  const std::string before = With("(self=T[])", DType::kFloat64, 7, {}).ToText();
  const std::string after = With("(self=T[])", DType::kFloat64, 7, kRefused).ToText();
  EXPECT_THAT(Differences(before, before), IsEmpty());
  EXPECT_THAT(Differences(before, after), ElementsAre("is new: (self=T[]) refused f64@7: takes no float32",
                                                      StartsWith("other cells agree: `aten::relu: 3 of 3 agree")));
  EXPECT_THAT(Differences(after, before), ElementsAre("is no longer so: (self=T[]) refused f64@7: takes no float32",
                                                      StartsWith("other cells agree: `aten::relu: 2 of 3 agree")));
}

TEST(Differences, OfOneCallAmongThoseOfALine) {
  Section before = With("(self=T[])", DType::kFloat64, 7, kRefused);
  Section after = before;
  before.Add("(self=T[3])", DType::kFloat64, 7, kRefused);
  after.Add("(self=T[4])", DType::kFloat64, 7, kRefused);
  EXPECT_THAT(Differences(before.ToText(), after.ToText()),
              ElementsAre("is no longer so: (self=T[3]) refused f64@7: takes no float32",
                          "is new: (self=T[4]) refused f64@7: takes no float32"));
}

// The numbers and the dtypes are the same.
TEST(Differences, SeeACellThatIsAnother) {
  const std::string before = With("(self=T[3])", DType::kFloat32, 7, {}).ToText();
  const std::string after = With("(self=T[4])", DType::kFloat32, 7, {}).ToText();
  EXPECT_THAT(Differences(before, after), ElementsAre(HasSubstr("//tests/conformance:list")));
}

TEST(Differences, OfAnotherWrongModel) {
  Outcome other = kWrong;
  other.graph = 8;
  const std::string before = With("(self=T[])", DType::kFloat64, 7, kWrong).ToText();
  const std::string after = With("(self=T[])", DType::kFloat64, 7, other).ToText();
  EXPECT_THAT(Differences(before, after), ElementsAre(StartsWith("is no longer so: (self=T[]) wrong f64@7: NaN "),
                                                      StartsWith("is new: (self=T[]) wrong f64@7: NaN ")));
}

}  // namespace
}  // namespace onnxport::conformance
