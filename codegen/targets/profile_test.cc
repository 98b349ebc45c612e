#include "codegen/targets/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace onnxport::codegen {
namespace {

using testing::HasSubstr;

constexpr const char* kHead = "title: A\nsource: here\ndate: 2026-11-26\nopsets: 7..18\n";

std::string Errors(const std::string& text) {
  Diagnostics diagnostics;
  LoadProfile(std::make_shared<SourceFile>(SourceFile{"spec/targets/a.yaml", text}), &diagnostics);
  return diagnostics.ToText();
}

TEST(Profile, Whole) {
  Diagnostics diagnostics;
  const std::string text = std::string(kHead) +
                           "static_axes: true\nint64: 32 bits\nfunctions: none\ndtypes: [float32, int64]\n"
                           "operators:\n  Abs:\n    6: {}\n    13: {T: [float32]}\n  Add:\n    7: none\n"
                           "  Sub:\n    7: {zero: [B], T: [int64]}\n"
                           "  Sum:\n    8: {known: [x], sized: [y], saturates: [int8], ceil_mode: own windows, "
                           "blocks: whole}\n";
  const Profile profile =
      LoadProfile(std::make_shared<SourceFile>(SourceFile{"spec/targets/a.yaml", text}), &diagnostics);
  EXPECT_EQ(diagnostics.ToText(), "");
  EXPECT_EQ(profile.name, "a");
  EXPECT_EQ(profile.last_opset, 18);
  EXPECT_TRUE(profile.static_axes);
  EXPECT_TRUE(profile.narrow_int64);
  EXPECT_TRUE(profile.no_functions);
  EXPECT_EQ(profile.dtypes, (DTypes{ir::DType::kFloat32, ir::DType::kInt64}));
  ASSERT_EQ(profile.forms.size(), 5u);
  const ProfileForm& sum = profile.forms[4];
  EXPECT_EQ(sum.known, (std::vector<std::string>{"x"}));
  EXPECT_EQ(sum.sized, (std::vector<std::string>{"y"}));
  EXPECT_EQ(sum.saturating, (DTypes{ir::DType::kInt8}));
  EXPECT_TRUE(sum.own_windows && sum.whole_blocks && sum.kinds.empty());
  EXPECT_EQ(profile.forms[3].zeros, (std::vector<std::string>{"B"}));
  EXPECT_EQ(profile.forms[3].kinds.size(), 1u);
  EXPECT_EQ(profile.forms[1].kinds[0].first, "T");
  EXPECT_FALSE(profile.forms[2].present);
}

TEST(Profile, TakesOverWhatItDoesNotSay) {
  Profile other;
  other.first_opset = 7;
  other.last_opset = 20;
  other.narrow_int64 = true;
  other.forms = {{"Abs", 7, true, {}}, {"Abs", 13, false, {}}, {"Add", 7, true, {}}};
  Profile all;
  TakeOver(other, &all);
  EXPECT_EQ(all.last_opset, 20);
  EXPECT_TRUE(all.narrow_int64);
  EXPECT_EQ(all.forms.size(), 3u);
  Profile some;
  some.first_opset = 8;
  some.last_opset = 18;
  some.forms = {{"Abs", 9, true, {}}};
  TakeOver(other, &some);
  EXPECT_EQ(some.first_opset, 8);
  EXPECT_EQ(some.last_opset, 18);
  ASSERT_EQ(some.forms.size(), 2u);
  EXPECT_EQ(some.forms[0].since, 9);
  EXPECT_EQ(some.forms[1].op, "Add");
}

TEST(Profile, Mistakes) {
  EXPECT_THAT(Errors("title: A\n"), HasSubstr("`source` is missing"));
  EXPECT_THAT(Errors(kHead), HasSubstr("`opsets` and `operators` are needed, or `like`"));
  EXPECT_THAT(Errors(std::string(kHead) + "kernels: 3\n"), HasSubstr("no key of a profile"));
  EXPECT_THAT(Errors(std::string(kHead) + "int64: 16 bits\n"), HasSubstr("`32 bits` is wanted"));
  EXPECT_THAT(Errors("opsets: 18\n"), HasSubstr("FIRST..LAST is wanted"));
  const std::string operators = std::string(kHead) + "operators:\n  ";
  EXPECT_THAT(Errors(operators + "Abs:\n    6: {T: [float]}\n"), HasSubstr("no dtype"));
  EXPECT_THAT(Errors(operators + "Abs:\n    6: {zero: X}\n"), HasSubstr("a list of inputs is wanted"));
  EXPECT_THAT(Errors(operators + "Abs:\n    6: all\n"), HasSubstr("or `none` is wanted"));
  EXPECT_THAT(Errors(operators + "Abs:\n    13: {}\n    6: {}\n"), HasSubstr("not sorted"));
  EXPECT_THAT(Errors(operators + "Abs:\n    13: {}\n  Abc:\n    x: {}\n"), HasSubstr("an opset is wanted"));
}

}  // namespace
}  // namespace onnxport::codegen
