#include "runtime/model/passes/simplify/merge_views.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/testing/graph_builder.h"

// transposes_test.cc has a table of chains; here is what surrounds them.
namespace onnxport::passes::merge_views_test {
namespace {

using ir::Dims;
using ir::DType;
using ir::ValueId;

ValueId Turn(GraphBuilder* b, ValueId x, const std::vector<int64_t>& perm, const std::string& name) {
  Dims dims;
  for (const int64_t axis : perm) dims.push_back((*b->graph.value(x).dims)[static_cast<size_t>(axis)]);
  return b->Node("Transpose", {x}, name, dims, b->graph.value(x).dtype, {{"perm", IntList(perm)}});
}

ValueId Reshape(GraphBuilder* b, ValueId x, const Dims& dims, const std::string& name) {
  return b->Node("Reshape", {x, b->Input(name + "_shape", {static_cast<int64_t>(dims.size())}, DType::kInt64)}, name,
                 dims, b->graph.value(x).dtype);
}

// The graph after the pass; empty if it changed nothing.
std::string Merged(GraphBuilder* b) {
  const std::string before = Body(b->graph);
  const bool changed = MergeViews(&b->graph);
  EXPECT_EQ(Body(b->graph) != before, changed);
  return changed ? Body(b->graph) : "";
}

// [n, 1, h] as [1, n, h].
std::string OnesMoved(int64_t least) {
  GraphBuilder b;
  for (const char* symbol : {"n", "h"}) b.graph.ranges[symbol] = {.min = least, .max = std::nullopt};
  b.Output(Turn(&b, b.Input("x", {Sym("n"), 1, Sym("h")}), {1, 0, 2}, "y"));
  return Merged(&b);
}

TEST(MergeViewsTest, MovesOnesByReshape) {
  EXPECT_EQ(OnesMoved(1), R"(%#2: int64[3] {1, -1, 0} = Constant(value=int64[3]{1, -1, 0})
%y: float32[1, n, h] = Reshape(%x, %#2)
output out0 = %y
)");
  // Where a size may be 0, the Reshape cannot be written.
  EXPECT_EQ(OnesMoved(0), "");
}

// There and back, so that one Reshape is left, or the other way, so that one Transpose is.
std::string ThroughBetween(const std::vector<int64_t>& second, bool uses_first) {
  GraphBuilder b;
  const ValueId first = Turn(&b, b.Input("x", {2, 3, 4}), {1, 2, 0}, "first");
  if (uses_first) b.Output(first);
  b.Output(Turn(&b, first, second, "y"));
  return Merged(&b);
}

TEST(MergeViewsTest, ASecondUse) {
  const std::vector<int64_t> back = {2, 0, 1};
  EXPECT_NE(ThroughBetween(back, false).find("= Reshape(%x, "), std::string::npos);
  EXPECT_NE(ThroughBetween(back, true).find("= Reshape(%x, "), std::string::npos);
  const std::vector<int64_t> on = {1, 2, 0};
  EXPECT_NE(ThroughBetween(on, false).find("%y: float32[4, 2, 3] = Transpose(%x, perm=[2, 0, 1])"), std::string::npos);
  // The first Transpose stays, so two would be no cheaper.
  EXPECT_EQ(ThroughBetween(on, true), "");
}

std::string Shuffled(DType dtype) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {1, 12, 3, 5}, dtype);
  const ValueId turned = Turn(&b, Reshape(&b, x, {1, 3, 2, 2, 3, 5}, "split"), {0, 1, 4, 2, 5, 3}, "turned");
  b.Output(Reshape(&b, turned, {1, 3, 6, 10}, "y"));
  return Merged(&b);
}

TEST(MergeViewsTest, BlocksOfOtherDtypes) {
  EXPECT_NE(Shuffled(DType::kFloat32).find("= DepthToSpace(%x, blocksize=2, mode=\"CRD\")"), std::string::npos);
  EXPECT_EQ(Shuffled(DType::kFloat16), "");
  EXPECT_EQ(Shuffled(DType::kInt32), "");
}

// Heads that move as a whole: a Reshape, a Transpose and a Reshape become a Transpose and a Reshape.
TEST(MergeViewsTest, MakesATransposeInFront) {
  const auto joined = [](const std::vector<int64_t>& perm) {
    GraphBuilder b;
    const ValueId turned = Turn(&b, Reshape(&b, b.Input("x", {2, 3, 8}), {2, 3, 4, 2}, "split"), perm, "turned");
    b.Output(Reshape(&b, turned, {6, 8}, "y"));
    return Merged(&b);
  };
  const std::string body = joined({1, 0, 2, 3});
  EXPECT_NE(body.find("%#6: float32[3, 2, 8] = Transpose(%x, perm=[1, 0, 2])"), std::string::npos) << body;
  EXPECT_NE(body.find("%y: float32[6, 8] = Reshape(%#6, "), std::string::npos) << body;
  // Parts of the last axis are moved.
  EXPECT_EQ(joined({1, 0, 3, 2}), "");
}

// Nothing is moved into a block, which may run often.
TEST(MergeViewsTest, BlocksKeepToThemselves) {
  const auto merged = [](bool first_is_inside) {
    GraphBuilder b;
    const ValueId flag = b.Input("flag", {}, DType::kBool);
    const ValueId x = b.Input("x", {2, 3, 4});
    ValueId first = ValueId::kNone;
    if (!first_is_inside) first = Turn(&b, x, {1, 2, 0}, "first");
    const size_t start = b.Size();
    if (first_is_inside) first = Turn(&b, x, {1, 2, 0}, "first");
    ir::Block then = b.TakeBlock(start, {}, {Turn(&b, first, {1, 2, 0}, "y")});
    ir::Block otherwise = b.TakeBlock(start, {}, {b.Node("Relu", {x}, "z", {4, 2, 3})});
    b.Output(b.Node("If", {flag}, "out", {4, 2, 3}));
    b.AddBlocks({std::move(then), std::move(otherwise)});
    return Merged(&b);
  };
  EXPECT_NE(merged(true).find("= Transpose(%x, perm=[2, 0, 1])"), std::string::npos);
  EXPECT_EQ(merged(false), "");
}

}  // namespace
}  // namespace onnxport::passes::merge_views_test
