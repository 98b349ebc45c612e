#include "runtime/model/passes/attention/split_einsums.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::split_einsums_test {
namespace {

using ir::Dims;
using ir::ValueId;

// A program's attention, of batch b, queries q, keys k, heads h and features d.
struct Attention {
  std::string scores = "bqhd,bkhd->bhqk";
  Dims q = {2, 5, 3, 8};
  Dims k = {2, 7, 3, 8};
  Dims scores_dims = {2, 3, 5, 7};
  std::string values = "bhqk,bkhd->bqhd";
  Dims v = {2, 7, 3, 8};
  Dims result = {2, 5, 3, 8};
  bool keys_first = false;    // in the equation of the scores
  bool values_first = false;  // in the other one
  std::vector<std::string> between = {"Mul"};
  bool scores_are_used = false;
  bool weights_are_used = false;
};

// The graph after the pass; empty if it changed nothing.
std::string Split(const Attention& test) {
  GraphBuilder b;
  const ValueId q = b.Input("q", test.q);
  const ValueId k = b.Input("k", test.k);
  const ValueId v = b.Input("v", test.v);
  const ValueId m = b.Input("m", {});
  const auto einsum = [&](const std::string& equation, ValueId left, ValueId right, const char* name,
                          const Dims& dims) {
    return b.Node("Einsum", {left, right}, name, dims, ir::DType::kFloat32, {{"equation", {equation}}});
  };
  ValueId scores = einsum(test.scores, test.keys_first ? k : q, test.keys_first ? q : k, "scores", test.scores_dims);
  if (test.scores_are_used) b.Output(scores);
  for (const std::string& op : test.between) scores = b.Node(op, {scores, m}, op, test.scores_dims);
  const ValueId weights =
      b.Node("Softmax", {scores}, "weights", test.scores_dims, ir::DType::kFloat32, {{"axis", {int64_t{-1}}}});
  if (test.weights_are_used) b.Output(weights);
  b.Output(einsum(test.values, test.values_first ? v : weights, test.values_first ? weights : v, "y", test.result));
  const std::string before = Body(b.graph);
  const bool changed = SplitEinsums(&b.graph);
  EXPECT_EQ(Body(b.graph) != before, changed);
  EXPECT_FALSE(SplitEinsums(&b.graph));
  return changed ? Body(b.graph) : "";
}

const char kSplit[] = R"(%#8: float32[2, 3, 5, 8] = Transpose(%q, perm=[0, 2, 1, 3])
%#9: float32[2, 3, 8, 7] = Transpose(%k, perm=[0, 2, 3, 1])
%scores: float32[2, 3, 5, 7] = MatMul(%#8, %#9)
%Mul: float32[2, 3, 5, 7] = Mul(%scores, %m)
%weights: float32[2, 3, 5, 7] = Softmax(%Mul, axis=-1)
%#10: float32[2, 3, 7, 8] = Transpose(%v, perm=[0, 2, 1, 3])
%#11: float32[2, 3, 5, 8] = MatMul(%weights, %#10)
%y: float32[2, 5, 3, 8] = Transpose(%#11, perm=[0, 2, 1, 3])
output out0 = %y
)";

TEST(SplitEinsumsTest, BothProducts) {
  EXPECT_EQ(Split({}), kSplit);
  // Spaces and the names of the axes are the program's own.
  EXPECT_EQ(Split({.scores = "n q h d, n s h d -> n h q s", .values = "abcd,adbe->acbe"}), kSplit);
}

TEST(SplitEinsumsTest, OperandsInTheOtherOrder) {
  const Attention test = {
      .scores = "bkhd,bqhd->bhqk", .values = "bkhd,bhqk->bqhd", .keys_first = true, .values_first = true};
  EXPECT_EQ(Split(test), kSplit);
}

TEST(SplitEinsumsTest, HeadsInFront) {
  const Attention test = {.scores = "bhqd,bhkd->bhqk",
                          .q = {2, 3, 5, 8},
                          .k = {2, 3, 7, 8},
                          .values = "bhqk,bhkd->bhqd",
                          .v = {2, 3, 7, 8},
                          .result = {2, 3, 5, 8},
                          .between = {}};
  EXPECT_EQ(Split(test), R"(%#7: float32[2, 3, 8, 7] = Transpose(%k, perm=[0, 1, 3, 2])
%scores: float32[2, 3, 5, 7] = MatMul(%q, %#7)
%weights: float32[2, 3, 5, 7] = Softmax(%scores, axis=-1)
%y: float32[2, 3, 5, 8] = MatMul(%weights, %v)
output out0 = %y
)");
}

TEST(SplitEinsumsTest, WhatIsBetween) {
  EXPECT_NE(Split({.between = {"Div", "Tanh", "Mul", "Add"}}), "");
  EXPECT_EQ(Split({.between = {"Pow"}}), "");
  EXPECT_NE(Split({.between = std::vector<std::string>(7, "Mul")}), "");
  EXPECT_EQ(Split({.between = std::vector<std::string>(8, "Mul")}), "");
}

// One difference each to what is split.
TEST(SplitEinsumsTest, WhatIsAnotherStays) {
  EXPECT_NE(Split({}), "");
  EXPECT_EQ(Split({.scores_are_used = true}), "");
  EXPECT_EQ(Split({.weights_are_used = true}), "");
  // Keys of one batch are broadcast.
  EXPECT_EQ(Split({.k = {1, 7, 3, 8}}), "");
  // The rows of the scores are keys, so the softmax is over the queries.
  EXPECT_EQ(Split({.scores = "bqhd,bkhd->bhkq", .scores_dims = {2, 3, 7, 5}, .values = "bhkq,bkhd->bqhd"}), "");
  // The queries are between batch and heads.
  EXPECT_EQ(Split({.scores = "bqhd,bkhd->bqhk", .scores_dims = {2, 5, 3, 7}, .values = "bqhk,bkhd->bqhd"}), "");
  // The batch is one axis.
  EXPECT_EQ(Split({.values = "bhqk,bkde->bhqd", .v = {2, 7, 8, 3}, .result = {2, 3, 5, 8}}), "");
  // Three axes are no batch of matrices with heads.
  EXPECT_EQ(Split({.scores = "qhd,bkhd->bhqk", .q = {5, 3, 8}}), "");
  EXPECT_EQ(Split({.scores = "...qd,...kd->...qk"}), "");
}

}  // namespace
}  // namespace onnxport::passes::split_einsums_test
