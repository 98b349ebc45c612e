#include "codegen/emit/show.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "codegen/load/load.h"

namespace onnxport::codegen {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<SpecFile> Specs() {
  Diagnostics diagnostics;
  auto spec = LoadSpecFile("spec/aten/some.yaml",
                           "spec: 1\n"
                           "family: some\n"
                           "ops:\n"
                           "- {op: aten::amax, emit: 'ReduceMax(self, axes=dim, keepdims=keepdim)'}\n"
                           "- {op: aten::erf, since: 9, emit: Erf(self)}\n"
                           "- {op: aten::sum.dim_IntList, emit: self}\n"
                           "- {op: aten::resize_as, refuse: 'for a reason'}\n",
                           &diagnostics);
  EXPECT_TRUE(spec) << diagnostics.ToText();
  return {*spec};
}

TEST(Show, TellsEpochsAndCode) {
  Templates templates("templates");
  const std::string shown = Show(Specs(), "aten::amax", {}, &templates);
  EXPECT_THAT(shown, HasSubstr("from opset 7: ReduceMax-1"));
  EXPECT_THAT(shown, HasSubstr("from opset 18: ReduceMax-18"));
  EXPECT_THAT(shown, HasSubstr("Vals aten_amax(Context& c) {"));
  EXPECT_THAT(shown, Not(HasSubstr("Erf")));
}

TEST(Show, TellsRefusals) {
  Templates templates("templates");
  EXPECT_THAT(Show(Specs(), "aten::resize_as", {}, &templates), HasSubstr("refused: for a reason"));
}

TEST(Show, IsEmptyForAnOperatorThatNobodyClaims) {
  Templates templates("templates");
  EXPECT_EQ(Show(Specs(), "aten::abs", {}, &templates), "");
}

TEST(WhatChanged, ListsNewSupportMovedArgumentsAndNewOperators) {
  Templates templates("templates");
  const std::string at9 = WhatChanged(Specs(), 9, {}, &templates);
  EXPECT_THAT(at9, HasSubstr("Supported from opset 9 on:\n  aten::erf (spec/aten/some.yaml:5)\n"));
  EXPECT_THAT(at9, HasSubstr("  Erf\n"));
  EXPECT_THAT(at9, HasSubstr("  Sinh (no spec uses it)\n"));
  const std::string at18 = WhatChanged(Specs(), 18, {}, &templates);
  EXPECT_THAT(at18, HasSubstr("  ReduceMax-18: 1 overloads, aten::amax\n"));
  EXPECT_THAT(at18, HasSubstr("  ReduceMax: attribute `axes` is an input"));
  EXPECT_THAT(WhatChanged(Specs(), 13, {}, &templates), HasSubstr("  ReduceMax-13: 1 overloads, aten::amax\n"));
}

TEST(Unclaimed, LeavesOutInPlaceAndOutForms) {
  const auto unclaimed = Unclaimed(Specs());
  EXPECT_EQ(std::ranges::count(unclaimed, "aten::sum"), 1);
  EXPECT_EQ(std::ranges::count(unclaimed, "aten::erf.out"), 0);
  EXPECT_EQ(std::ranges::count(unclaimed, "aten::erf"), 0);
}

}  // namespace
}  // namespace onnxport::codegen
