#include <gtest/gtest.h>

#include "runtime/testing/emitted_graph.h"

namespace onnxport::lowering::reshape_target_test {
namespace {

TEST(ReshapeTarget, ZeroIsASize) {
  constexpr std::string_view kNeeds14 = "a Reshape to sizes of which one is 0 needs opset 14 here";
  struct {
    int opset;
    std::initializer_list<const char*> dims;
    std::vector<Val> sizes;
    const char* target;  // the constant and attributes in the node
    bool allows_zero;
    std::string_view refusal;
  } const kCases[] = {
      {13, {"2", "3"}, {3, 2}, "{3, 2}", false, ""},
      {13, {"0", "3"}, {0, 3, 1}, "{0, 3, 1}", false, ""},  // as in the input
      {13, {"0", "3"}, {2, -1}, "{2, -1}", false, ""},
      {13, {"0", "3"}, {3, 0}, "{3, -1}", false, ""},
      {13, {"2", "0"}, {0, 4}, "{-1, 4}", false, ""},
      {13, {"2", "0"}, {4, 0, 0}, "", false, kNeeds14},
      {13, {"n"}, {0, 4}, "", false, kNeeds14},  // a run may have elements
      {14, {"0", "3"}, {0, 3, 1}, "{0, 3, 1}", false, ""},
      {14, {"0", "3"}, {3, 0}, "{3, 0}", true, ""},
      {14, {"n"}, {0, 4}, "{0, 4}", true, ""},
      {14, {"0", "3"}, {0, -1}, "", false, "a size of -1 beside a size of 0 can be any"},
  };
  for (const auto& c : kCases) {
    TestGraph test(c.opset);
    const Val x = test.Input("x", DType::kFloat32, c.dims);
    const std::string refusal = RefusalOf([&] { test.context.op("Reshape", {x, Vals(c.sizes)}); });
    const std::string text = ir::ToText(test.graph);
    SCOPED_TRACE(text);
    EXPECT_EQ(refusal, c.refusal);
    EXPECT_NE(text.find(c.target), std::string::npos);
    EXPECT_EQ(text.find("allowzero=1") != std::string::npos, c.allows_zero);
  }
}

TEST(ReshapeTarget, ComputedSizesAreConstantsWherePossible) {
  TestGraph test(17, FreeSizes::kAsExported);
  const Val x = test.Input("x", DType::kFloat32, {"n", "6"});
  const Val n = dim(x, 0);
  test.context.op("Reshape", {x, Vals{n, 2, 3}});
  EXPECT_NE(ir::ToText(test.graph).find("{0, 2, 3}"), std::string::npos) << ir::ToText(test.graph);
  test.context.op("Reshape", {x, Vals{n * 2, 3}});
  EXPECT_NE(ir::ToText(test.graph).find("{-1, 3}"), std::string::npos) << ir::ToText(test.graph);
}

TEST(ReshapeTarget, ANumberOfTheRunMayBeZero) {
  for (const int opset : {13, 14}) {
    TestGraph test(opset, FreeSizes::kAsExported);
    const Val x = test.Input("x", DType::kFloat32, {"n", "6"});
    const Val k = test.Input("k", DType::kInt64, {});
    const Val m = test.Input("m", DType::kInt64, {});
    test.context.op("Reshape", {x, Vals{k, m, 3}});
    const std::string text = ir::ToText(test.graph);
    EXPECT_EQ(text.find("allowzero=1") != std::string::npos, opset >= 14) << text;
  }
}

TEST(ReshapeTarget, APartOfASizeMayBeZero) {
  for (const int divisor : {1, 4}) {
    TestGraph test(18, FreeSizes::kAsExported);
    test.graph.ranges["n"] = test.graph.ranges["m"] = {1, std::nullopt};
    const Val x = test.Input("x", DType::kFloat32, {"6", "n*m"});
    const Val n = dim(test.Input("y", DType::kFloat32, {"n"}), 0);
    const Val m = dim(test.Input("z", DType::kFloat32, {"m"}), 0);
    test.context.op("Reshape", {x, Vals{6, n, divisor == 1 ? m : FloorDiv(m, divisor)}});
    const std::string text = ir::ToText(test.graph);
    EXPECT_EQ(text.find("allowzero=1") != std::string::npos, divisor == 4) << text;
  }
}

}  // namespace
}  // namespace onnxport::lowering::reshape_target_test
