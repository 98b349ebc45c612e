#include "runtime/model/passes/weights/rearrange_weights.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::rearrange_weights_test {
namespace {

using ir::DType;
using ir::ValueId;

// The weights as `name[shape] bytes`.
std::string Weights(const ir::Graph& graph) {
  std::string text;
  for (const ir::Weight& weight : graph.weights) {
    text += weight.name + "[";
    for (const int64_t size : weight.data->shape) text += std::to_string(size) + ",";
    text += "] ";
    weight.data->bytes->Stream([&](std::span<const std::byte> block) {
      for (const std::byte byte : block) text += static_cast<char>(byte);
    });
    text += "\n";
  }
  return text;
}

constexpr DType kU8 = DType::kUInt8;

// The gates of both directions, reordered, and the biases side by side.
TEST(RearrangeWeightsTest, DoesWhatOnlyMovesBytes) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {2});
  const ValueId w = b.Weight("w", {2, 2}, "abcd", kU8);
  const ValueId v = b.Weight("v", {2, 2}, "efgh", kU8);
  const ValueId zero = b.Ints("zero", {0});
  const ValueId one = b.Ints("one", {1});
  const ValueId first = b.Node("Slice", {w, zero, one, zero}, "first", {1, 2}, kU8);
  const ValueId second =
      b.Node("Slice", {w, one, b.Ints("end", {9}), b.Ints("axis", {-2}), one}, "second", {1, 2}, kU8);
  const ValueId swapped = b.Node("Concat", {second, first}, "swapped", {2, 2}, kU8, {{"axis", {int64_t{0}}}});
  const ValueId wide = b.Node("Concat", {swapped, v}, "wide", {2, 4}, kU8, {{"axis", {int64_t{1}}}});
  const ValueId deep = b.Node("Unsqueeze", {wide, zero}, "deep", {1, 2, 4}, kU8);
  b.Output(b.Node("F", {x, deep}, "y", {2}));
  EXPECT_TRUE(RearrangeWeights(&b.graph));
  EXPECT_EQ(Weights(b.graph), "w+v[1,2,4,] cdefabgh\n");
  EXPECT_EQ(Body(b.graph), "%y: float32[2] = F(%x, %deep)\noutput out0 = %y\n");
  EXPECT_FALSE(RearrangeWeights(&b.graph));
}

TEST(RearrangeWeightsTest, FollowsAllThatOnlyReshapes) {
  for (const char* op : {"Flatten", "Reshape", "Squeeze", "Unsqueeze"}) {
    GraphBuilder b;
    const ValueId w = b.Weight("w", {2, 1, 2}, "abcd", kU8);
    b.Output(b.Node("F", {b.Node(op, {w}, "flat", {2, 2}, kU8)}, "y", {2}));
    EXPECT_TRUE(RearrangeWeights(&b.graph)) << op;
    EXPECT_EQ(Weights(b.graph), "w[2,2,] abcd\n") << op;
  }
}

TEST(RearrangeWeightsTest, LeavesWhatOthersNeedOrWouldBeWrittenTwice) {
  for (const bool used_whole : {true, false}) {
    GraphBuilder b;
    const ValueId w = b.Weight("w", {2, 2}, "abcd", kU8);
    const ValueId zero = b.Ints("zero", {0});
    const ValueId deep = b.Node("Unsqueeze", {w, zero}, "deep", {1, 2, 2}, kU8);
    const ValueId other = used_whole ? w : b.Node("Unsqueeze", {w, b.Ints("two", {2})}, "flat", {2, 2, 1}, kU8);
    b.Output(b.Node("F", {deep, other}, "y", {2}));
    EXPECT_FALSE(RearrangeWeights(&b.graph)) << used_whole;
    EXPECT_EQ(Weights(b.graph), "w[2,2,] abcd\n");
  }
}

TEST(RearrangeWeightsTest, OutputsOfBlocksAndSlicesWithStepsStay) {
  GraphBuilder b;
  const ValueId w = b.Weight("w", {4}, "abcd", kU8);
  const ValueId zero = b.Ints("zero", {0});
  const ValueId step = b.Node("Slice", {w, zero, b.Ints("end", {4}), zero, b.Ints("two", {2})}, "step", {2}, kU8);
  b.Output(b.Node("F", {step}, "y", {2}));
  EXPECT_FALSE(RearrangeWeights(&b.graph));
  GraphBuilder c;
  const ValueId flag = c.Input("flag", {}, DType::kBool);
  const ValueId v = c.Weight("v", {4}, "abcd", kU8);
  const ValueId axis = c.Ints("axis", {0});
  const size_t start = c.Size();
  const ValueId deep = c.Node("Unsqueeze", {v, axis}, "deep", {1, 4}, kU8);
  ir::Block then = c.TakeBlock(start, {}, {deep});
  const ValueId same = c.Node("Unsqueeze", {v, axis}, "same", {1, 4}, kU8);
  ir::Block otherwise = c.TakeBlock(start, {}, {same});
  c.Output(c.Node("If", {flag}, "z", {1, 4}, kU8));
  c.AddBlocks({std::move(then), std::move(otherwise)});
  EXPECT_FALSE(RearrangeWeights(&c.graph));
}

}  // namespace
}  // namespace onnxport::passes::rearrange_weights_test
