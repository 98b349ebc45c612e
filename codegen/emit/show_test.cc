#include "codegen/emit/show.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "codegen/emit/family.h"
#include "codegen/emit/rows.h"
#include "codegen/load/load.h"
#include "codegen/specialize/specialize.h"

namespace onnxport::codegen::show_test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<CheckedSpec> Specs() {
  constexpr char kText[] = R"(
spec: 1
family: some
ops:
- op: aten::amax
  emit: ReduceMax(self, axes=dim, keepdims=keepdim)
  tests:
    - amax(f32[2,3], [0])
- op: aten::erf
  limits: zeros have no sign
  since: 9
  emit: Erf(self)
  tests:
    - erf(f32[2,3])
- op: aten::sum.dim_IntList
  args: {dim: ignore, keepdim: ignore, dtype: ignore}
  emit: self
  tests:
    - sum(f32[2,3], [0])
- op: aten::resize_as
  refuse: for a reason
)";
  Diagnostics diagnostics;
  auto spec = LoadSpecFile("spec/aten/some.yaml", kText, &diagnostics);
  auto checked = spec ? Check(Specialize(*spec), {}, &diagnostics) : std::nullopt;
  EXPECT_TRUE(checked) << diagnostics.ToText();
  return {*checked};
}

TEST(Show, TellsEpochsAndCode) {
  Templates templates("templates");
  const std::string shown = Show(Specs(), "aten::amax", &templates);
  EXPECT_THAT(shown, HasSubstr("from opset 7: ReduceMax-1"));
  EXPECT_THAT(shown, HasSubstr("from opset 18: ReduceMax-18"));
  EXPECT_THAT(shown, HasSubstr("Vals aten_amax(Context& c) {"));
  EXPECT_THAT(shown, Not(HasSubstr("Erf")));
}

// Those of an entry are remarks of the support table, wherever it is exported.
TEST(Rows, HaveLimits) {
  Templates templates("templates");
  const RowsFile rows = RowsOf(WriteFamily(Specs()[0], &templates));
  const auto limits = std::ranges::find(rows.remarks, "zeros have no sign", &Remark::text);
  ASSERT_NE(limits, rows.remarks.end());
  EXPECT_EQ(limits->overload, "aten::erf");
  EXPECT_EQ(*limits->opsets.begin(), 9);
}

TEST(Show, TellsRefusals) {
  Templates templates("templates");
  EXPECT_THAT(Show(Specs(), "aten::resize_as", &templates), HasSubstr("refused: for a reason"));
}

TEST(Show, IsEmptyForAnOperatorThatNobodyClaims) {
  Templates templates("templates");
  EXPECT_EQ(Show(Specs(), "aten::abs", &templates), "");
}

TEST(WhatChanged, ListsNewSupportMovedArgumentsAndNewOperators) {
  Templates templates("templates");
  const std::string at9 = WhatChanged(Specs(), 9, &templates);
  EXPECT_THAT(at9, HasSubstr("Supported from opset 9 on:\n  aten::erf (spec/aten/some.yaml:9)\n"));
  EXPECT_THAT(at9, HasSubstr("  Erf\n"));
  EXPECT_THAT(at9, HasSubstr("  Sinh (no spec uses it)\n"));
  const std::string at18 = WhatChanged(Specs(), 18, &templates);
  EXPECT_THAT(at18, HasSubstr("  ReduceMax-18: 1 overloads, aten::amax\n"));
  EXPECT_THAT(at18, HasSubstr("  ReduceMax: attribute `axes` is an input"));
  EXPECT_THAT(WhatChanged(Specs(), 13, &templates), HasSubstr("  ReduceMax-13: 1 overloads, aten::amax\n"));
}

TEST(Unclaimed, LeavesOutInPlaceAndOutForms) {
  const auto unclaimed = Unclaimed(Specs());
  EXPECT_EQ(std::ranges::count(unclaimed, "aten::sum"), 1);
  EXPECT_EQ(std::ranges::count(unclaimed, "aten::erf.out"), 0);
  EXPECT_EQ(std::ranges::count(unclaimed, "aten::erf"), 0);
}

}  // namespace
}  // namespace onnxport::codegen::show_test
