#include "runtime/model/passes/attention/fuse_rotations.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::fuse_rotations_test {
namespace {

using ir::Dims;
using ir::DType;
using ir::ValueId;

// A program on x: float32[n, 2, 5, 8].
class Program {
 public:
  explicit Program(DType dtype = DType::kFloat32) : b(23), x(b.Input("x", Shape(8), dtype)), dtype_(dtype) {}

  static Dims Shape(int64_t features) { return {Sym("n"), 2, 5, features}; }

  ValueId Op(const std::string& op, const std::vector<ValueId>& inputs, const Dims& dims,
             std::vector<ir::Attribute> attributes = {}) {
    return b.Node(op, inputs, "v" + std::to_string(count_++), dims, dtype_, std::move(attributes));
  }
  ValueId Join(ValueId left, ValueId right, const Dims& dims) {
    return Op("Concat", {left, right}, dims, {{"axis", {int64_t{-1}}}});
  }
  ValueId Int(int64_t element) {
    const ValueId id = b.Ints("i" + std::to_string(count_++), {element});
    b.graph.value(id).contents = Dims{element};
    return id;
  }
  ValueId Pair(int64_t first, int64_t second) {
    const ValueId id = b.Ints("i" + std::to_string(count_++), {first, second});
    b.graph.value(id).contents = Dims{first, second};
    return id;
  }
  ValueId Half(int64_t start, int64_t end) { return Op("Slice", {x, Int(start), Int(end), Int(3)}, Shape(4)); }
  // [angles, angles] of `dims`, through a function.
  ValueId Doubled(const std::string& function, Dims dims) {
    Dims half = dims;
    half.back() = ir::Dim(4);
    const ValueId angles = b.Input(function, half, dtype_);
    return Op(function, {Join(angles, angles, dims)}, dims);
  }
  // x * cos + [-b, a] * sin
  ValueId Whole(ValueId cos, ValueId sin) {
    const ValueId turned = Join(Op("Neg", {Half(4, INT64_MAX)}, Shape(4)), Half(0, 4), Shape(8));
    return Op("Add", {Op("Mul", {sin, turned}, Shape(8)), Op("Mul", {x, cos}, Shape(8))}, Shape(8));
  }
  // [a * cos - b * sin, b * cos + a * sin]
  ValueId Halves(ValueId a, ValueId b_, ValueId cos, ValueId sin) {
    const auto product = [&](ValueId half, ValueId factor) { return Op("Mul", {half, factor}, Shape(4)); };
    return Join(Op("Sub", {product(a, cos), product(b_, sin)}, Shape(4)),
                Op("Add", {product(a, sin), product(b_, cos)}, Shape(4)), Shape(8));
  }
  ValueId EachSecond(int64_t start) { return Op("Slice", {x, Int(start), Int(INT64_MAX), Int(3), Int(2)}, Shape(4)); }
  // a and b in turns, from [.., 4, 1] twice
  ValueId InTurns(ValueId a, ValueId b_) {
    Dims pairs = Shape(4);
    pairs.emplace_back(1);
    const auto further = [&](ValueId half) { return Op("Unsqueeze", {half, Int(4)}, pairs); };
    const ValueId left = further(a);
    const ValueId right = further(b_);
    pairs.back() = ir::Dim(2);
    return Op("Reshape", {Join(left, right, pairs), Int(8)}, Shape(8));
  }
  // Each angle twice in a row, [places, features].
  ValueId Each(const std::string& name) {
    const ValueId angles = Op("Unsqueeze", {b.Input(name, {5, 4}, dtype_), Int(2)}, {5, 4, 1});
    return Op("Reshape", {Op("Tile", {angles, Int(2)}, {5, 4, 2}), Int(8)}, {5, 8});
  }
  // The graph after the pass, or that nothing was fused.
  std::string Fused(ValueId output) {
    b.Output(output);
    return FuseRotations(&b.graph) ? Body(b.graph) : "";
  }

  GraphBuilder b;
  ValueId x;

 private:
  DType dtype_;
  int count_ = 0;
};

TEST(FuseRotationsTest, BothSpellings) {
  Program whole;
  const std::string body =
      whole.Fused(whole.Whole(whole.Doubled("Cos", {Sym("n"), 1, 5, 8}), whole.Doubled("Sin", {5, 8})));
  EXPECT_NE(body.find("= RotaryEmbedding(%x, "), std::string::npos) << body;
  EXPECT_EQ(body.find("Neg"), std::string::npos) << body;
  EXPECT_NE(body.find("float32[n, 5, 4] = Squeeze"), std::string::npos) << body;
  EXPECT_NE(body.find("float32[n, 5, 4] = Expand"), std::string::npos) << body;  // of the sines, which all rows share

  Program halves;
  const ValueId cos = halves.b.Input("cos", {1, 5, 4});
  const ValueId sin = halves.b.Input("sin", {1, 5, 4});
  const std::string other = halves.Fused(halves.Halves(halves.Half(0, 4), halves.Half(4, 8), cos, sin));
  EXPECT_NE(other.find("= RotaryEmbedding(%x, "), std::string::npos) << other;
  EXPECT_EQ(other.find("Slice"), std::string::npos) << other;
}

TEST(FuseRotationsTest, InTurns) {
  Program whole;
  const ValueId turned = whole.InTurns(whole.Op("Neg", {whole.EachSecond(1)}, Program::Shape(4)), whole.EachSecond(0));
  const auto product = [&](ValueId left, ValueId right) { return whole.Op("Mul", {left, right}, Program::Shape(8)); };
  const std::string body = whole.Fused(
      whole.Op("Add", {product(whole.x, whole.Each("cos")), product(turned, whole.Each("sin"))}, Program::Shape(8)));
  EXPECT_NE(body.find("= RotaryEmbedding(%x, "), std::string::npos) << body;
  EXPECT_NE(body.find("interleaved=1"), std::string::npos) << body;

  for (const bool second_first : {false, true}) {
    Program halves;
    const ValueId cos = halves.b.Input("cos", {5, 4});
    const ValueId sin = halves.b.Input("sin", {5, 4});
    const ValueId joined =
        halves.Halves(halves.EachSecond(second_first ? 1 : 0), halves.EachSecond(second_first ? 0 : 1), cos, sin);
    const ir::Node concat = halves.b.graph.body.nodes.back();
    const ValueId output = halves.InTurns(ir::InputAt(concat, 0), ir::InputAt(concat, 1));
    // Those in turns that are put behind each other are no rotation.
    halves.b.Output(joined);
    const std::string found = halves.Fused(output);
    EXPECT_EQ(found.find("RotaryEmbedding") != std::string::npos, !second_first) << found;
    EXPECT_TRUE(second_first || found.find("Concat") != std::string::npos) << found;
  }
}

TEST(FuseRotationsTest, AnglesThatAreRepeated) {
  Program p;
  const auto twice = [&](const std::string& name) {
    return p.Op("Tile", {p.b.Input(name, {5, 4}), p.Pair(1, 2)}, {5, 8});
  };
  EXPECT_NE(p.Fused(p.Whole(twice("cos"), twice("sin"))).find("RotaryEmbedding"), std::string::npos);
  Program once;  // along the other axis
  const auto other = [&](const std::string& name) {
    return once.Op("Tile", {once.b.Input(name, {5, 8}), once.Pair(1, 1)}, {5, 8});
  };
  EXPECT_EQ(once.Fused(once.Whole(other("cos"), other("sin"))), "");
  Program each;  // each angle twice in a row, for halves behind each other
  EXPECT_EQ(each.Fused(each.Whole(each.Each("cos"), each.Each("sin"))), "");
}

TEST(FuseRotationsTest, AnglesAreMadeOnce) {
  Program p;
  const ValueId cos = p.b.Input("cos", {5, 4});
  const ValueId sin = p.b.Input("sin", {5, 4});
  const ValueId first = p.Halves(p.Half(0, 4), p.Half(4, 8), cos, sin);
  p.b.Output(p.Halves(p.Half(0, 4), p.Half(4, 8), cos, sin));
  const std::string body = p.Fused(first);
  size_t expands = 0;
  for (size_t at = body.find("= Expand"); at != std::string::npos; at = body.find("= Expand", at + 1)) ++expands;
  EXPECT_EQ(expands, 2U) << body;
}

// The remark on a program without a rotation names the nearest candidate.
TEST(FuseRotationsTest, SaysWhyItIsNone) {
  const auto why = [](Program& p, ValueId output) {
    EXPECT_EQ(p.Fused(output), "");
    return WhyNoRotary(p.b.graph);
  };
  const auto angles = [](Program& p, Dims dims = {5, 8}) {
    return std::pair(p.Doubled("Cos", dims), p.Doubled("Sin", dims));
  };
  Program doubles(DType::kFloat64);
  const auto [cos64, sin64] = angles(doubles);
  EXPECT_EQ(why(doubles, doubles.Whole(cos64, sin64)),
            "the nearest is the Add, but it is not computed in float32, float16 or bfloat16");
  Program heads;
  const auto [cos, sin] = angles(heads, {2, 5, 8});
  EXPECT_EQ(
      why(heads, heads.Whole(cos, sin)),
      "the nearest is the Add, but its angles are not [batch, 1, places, features] of its dtype: the operator has "
      "none for single heads");
  Program unlike;
  EXPECT_EQ(why(unlike, unlike.Whole(unlike.b.Input("c", {5, 8}), unlike.Doubled("Sin", {5, 8}))),
            "the nearest is the Add, but the two angles of a pair are not known to be equal");
  Program swapped;
  EXPECT_EQ(
      why(swapped, swapped.Halves(swapped.Half(4, 8), swapped.Half(0, 4), swapped.b.Input("c", {5, 4}),
                                  swapped.b.Input("s", {5, 4}))),
      "the nearest is the Concat, but it is not made of the two halves of one value, in its order, and the same two "
      "angles");
  Program back;
  const auto [c, s] = angles(back);
  const ValueId turned =
      back.Join(back.Op("Neg", {back.Half(4, 8)}, Program::Shape(4)), back.Half(0, 4), Program::Shape(8));
  const ValueId straight = back.Op("Mul", {back.x, c}, Program::Shape(8));
  EXPECT_EQ(why(back, back.Op("Sub", {straight, back.Op("Mul", {turned, s}, Program::Shape(8))}, Program::Shape(8))),
            "the nearest is the Sub, but it turns pairs the other way");
  Program other;  // half of another value
  const auto [cos_, sin_] = angles(other);
  const ValueId whole = other.Whole(cos_, sin_);
  const ValueId y = other.b.Input("y", Program::Shape(8));
  other.b.graph.body.nodes[other.b.graph.body.nodes.size() - 2].inputs[0] = {y};
  EXPECT_EQ(why(other, whole),
            "the nearest is the Add, but the halves that are turned are not those of the value beside them");
  Program none;
  EXPECT_EQ(why(none, none.Op("Add", {none.Op("Mul", {none.x, none.x}, Program::Shape(8)), none.x}, Program::Shape(8))),
            "");
}

TEST(FuseRotationsTest, WhatIsAnotherStays) {
  Program swapped;  // b is the first half
  const Dims angles = {5, 4};
  EXPECT_EQ(swapped.Fused(swapped.Halves(swapped.Half(4, 8), swapped.Half(0, 4), swapped.b.Input("c", angles),
                                         swapped.b.Input("s", angles))),
            "");
  Program mixed;  // [.., a * sin + b * sin]
  const ValueId sin = mixed.b.Input("s", angles);
  const ValueId cos = mixed.b.Input("c", angles);
  const auto product = [&](ValueId half, ValueId factor) { return mixed.Op("Mul", {half, factor}, Program::Shape(4)); };
  const ValueId a = mixed.Half(0, 4);
  const ValueId b = mixed.Half(4, 8);
  EXPECT_EQ(mixed.Fused(mixed.Join(mixed.Op("Sub", {product(a, cos), product(b, sin)}, Program::Shape(4)),
                                   mixed.Op("Add", {product(a, sin), product(b, sin)}, Program::Shape(4)),
                                   Program::Shape(8))),
            "");
  Program unlike;  // the second half of the cosines is not known to be the first
  EXPECT_EQ(unlike.Fused(unlike.Whole(unlike.b.Input("c", {5, 8}), unlike.Doubled("Sin", {5, 8}))), "");
  Program heads;  // angles of single heads
  EXPECT_EQ(heads.Fused(heads.Whole(heads.Doubled("Cos", {2, 5, 8}), heads.Doubled("Sin", {2, 5, 8}))), "");
  Program doubles(DType::kFloat64);
  EXPECT_EQ(doubles.Fused(doubles.Whole(doubles.Doubled("Cos", {5, 8}), doubles.Doubled("Sin", {5, 8}))), "");
}

}  // namespace
}  // namespace onnxport::passes::fuse_rotations_test
