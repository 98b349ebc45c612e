#include "runtime/model/passes/attention/fuse_causal_convs.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::fuse_causal_convs_test {
namespace {

using ir::Dim;
using ir::Dims;
using ir::DType;
using ir::ValueId;

enum class Past {
  kInput,   // what is kept of the last run
  kPad,     // zeros, by a Pad
  kBefore,  // zeros, by the Conv
  kAround,  // zeros on both sides; a Slice cuts off what looks ahead
};

// A Conv of 6 channels over x and the 3 places in front of it.
struct Program {
  Past past = Past::kInput;
  int opset = 27;
  DType dtype = DType::kFloat32;
  int64_t group = 6;
  std::vector<int64_t> strides = {1};
  int64_t kept = 3;   // places of the last run
  int64_t axis = 2;   // along which they are joined
  double filled = 0;  // the number of the Pad
  int64_t cut = -3;   // the end of the Slice
  bool has_bias = true;
  bool has_silu = false;
  bool uses_straight = false;  // what the Conv gives, beside the SiLU
  bool has_state = false;
  int64_t state = -3;  // where what is kept for the next run begins
};

class Builder {
 public:
  explicit Builder(const Program& test) : test_(test), b(test.opset) {}

  // Why nothing in the graph is such a Conv.
  std::string WhyNot() {
    EXPECT_EQ(Fused(), "");
    return WhyNoCausalConv(b.graph);
  }

  // The graph after the pass; empty if it changed nothing.
  std::string Fused() {
    const ValueId x = b.Input("x", {2, 6, places_}, test_.dtype);
    ValueId y = Conv(Longer(x));
    if (test_.past == Past::kAround) y = Slice(y, "cut", 0, test_.cut, {2, 6, places_});
    if (test_.has_silu) {
      if (test_.uses_straight) b.Output(y);
      const ValueId sigmoid = Op("Sigmoid", {y}, "sigmoid", {2, 6, places_});
      y = Op("Mul", {y, sigmoid}, "silu", {2, 6, places_});
    }
    b.Output(y);
    if (test_.has_state) {
      const int64_t end = std::numeric_limits<int64_t>::max();
      b.Output(Op("Relu", {Slice(joined_, "kept", test_.state, end, {2, 6, 3})}, "next", {2, 6, 3}));
    }
    const std::string before = Body(b.graph);
    const bool changed = FuseCausalConvs(&b.graph);
    EXPECT_EQ(Body(b.graph) != before, changed);
    return changed ? Body(b.graph) : "";
  }

 private:
  ValueId Op(const std::string& op, const std::vector<ValueId>& inputs, const std::string& name, const Dims& dims,
             std::vector<ir::Attribute> attributes = {}) {
    return b.Node(op, inputs, name, dims, test_.dtype, std::move(attributes));
  }
  ValueId Ints(const std::string& name, const std::vector<int64_t>& numbers) {
    const ValueId id = b.Ints(name, numbers);
    b.graph.value(id).contents.emplace(numbers.begin(), numbers.end());
    return id;
  }
  ValueId Slice(ValueId x, const std::string& name, int64_t start, int64_t end, const Dims& dims) {
    return Op("Slice", {x, Ints(name + "_start", {start}), Ints(name + "_end", {end}), Ints(name + "_axis", {2})}, name,
              dims);
  }
  ValueId Longer(ValueId x) {
    const Dims dims = {2, 6, places_ + test_.kept};
    if (test_.past == Past::kPad) {
      const ValueId number = b.Constant("number", {test_.dtype, {}, {onnx_ops::FromFloat(test_.filled)}});
      return Op("Pad", {x, Ints("pads", {0, 0, test_.kept, 0, 0, 0}), number}, "longer", dims);
    }
    if (test_.past != Past::kInput) return x;
    joined_ =
        Op("Concat", {b.Input("past", {2, 6, test_.kept}, test_.dtype), x}, "longer", dims, {{"axis", {test_.axis}}});
    return joined_;
  }
  ValueId Conv(ValueId longer) {
    const int64_t before = test_.past == Past::kBefore || test_.past == Past::kAround ? 3 : 0;
    const int64_t behind = test_.past == Past::kAround ? 3 : 0;
    std::vector<ValueId> inputs = {longer, b.Input("w", {6, 6 / test_.group, 4}, test_.dtype)};
    if (test_.has_bias) inputs.push_back(b.Input("bias", {6}, test_.dtype));
    return Op("Conv", inputs, "conv", {2, 6, places_ + behind},
              {{"group", {test_.group}}, {"pads", IntList({before, behind})}, {"strides", IntList(test_.strides)}});
  }

  const Program& test_;
  GraphBuilder b;
  const Dim places_ = Sym("n");
  ValueId joined_ = ValueId::kNone;
};

std::string Fused(const Program& test) { return Builder(test).Fused(); }

// The line of the new node; "" if there is none.
std::string Line(const std::string& body) {
  const size_t at = body.find("= CausalConvWithState(");
  if (at == std::string::npos) return "";
  const size_t begin = body.rfind('\n', at) + 1;
  return body.substr(begin, body.find('\n', at) - begin);
}

TEST(FuseCausalConvsTest, WhatIsKeptOfTheLastRun) {
  EXPECT_EQ(Line(Fused({})), "%conv: float32[2, 6, n] = CausalConvWithState(%x, %w, %bias, %past)");
  EXPECT_EQ(Line(Fused({.has_bias = false})), "%conv: float32[2, 6, n] = CausalConvWithState(%x, %w, None, %past)");
  EXPECT_EQ(Line(Fused({.axis = -1})), "%conv: float32[2, 6, n] = CausalConvWithState(%x, %w, %bias, %past)");
}

TEST(FuseCausalConvsTest, Zeros) {
  EXPECT_EQ(Line(Fused({.past = Past::kPad})), "%conv: float32[2, 6, n] = CausalConvWithState(%x, %w, %bias)");
  EXPECT_EQ(Fused({.past = Past::kPad, .kept = 2}), "");
  EXPECT_EQ(Fused({.past = Past::kPad, .filled = 1}), "");
  EXPECT_EQ(Line(Fused({.past = Past::kBefore, .has_bias = false})),
            "%conv: float32[2, 6, n] = CausalConvWithState(%x, %w)");
  EXPECT_EQ(Line(Fused({.past = Past::kAround})), "%cut: float32[2, 6, n] = CausalConvWithState(%x, %w, %bias)");
  EXPECT_EQ(Fused({.past = Past::kAround, .cut = -2}), "");
}

TEST(FuseCausalConvsTest, Silu) {
  EXPECT_EQ(Line(Fused({.has_silu = true})),
            "%silu: float32[2, 6, n] = CausalConvWithState(%x, %w, %bias, %past, activation=\"silu\")");
  EXPECT_EQ(Line(Fused({.past = Past::kAround, .has_silu = true})),
            "%silu: float32[2, 6, n] = CausalConvWithState(%x, %w, %bias, activation=\"silu\")");
  // The value in front of it is needed, so it stays.
  const std::string body = Fused({.has_silu = true, .uses_straight = true});
  EXPECT_EQ(Line(body), "%conv: float32[2, 6, n] = CausalConvWithState(%x, %w, %bias, %past)");
  EXPECT_NE(body.find("%silu: float32[2, 6, n] = Mul(%conv, %sigmoid)"), std::string::npos) << body;
}

TEST(FuseCausalConvsTest, SaysWhyItIsNone) {
  const auto why = [](const Program& test) { return Builder(test).WhyNot(); };
  const std::string nearest = "the nearest is the Conv, but ";
  EXPECT_EQ(why({.group = 3}), nearest + "it is not one of each channel by itself");
  EXPECT_EQ(why({.dtype = DType::kFloat16}), nearest + "it is not computed in float32");
  EXPECT_EQ(why({.strides = {2}}), nearest + "it has strides or dilations");
  EXPECT_EQ(why({.past = Past::kAround, .cut = -2}), nearest + "it looks ahead, and not just that is cut off");
  EXPECT_EQ(why({.past = Past::kPad, .filled = 1}),
            nearest + "its input has not as many kept places or zeros in front as its window has before its last one");
  EXPECT_EQ(WhyNoCausalConv(GraphBuilder(27).graph), "");
}

TEST(FuseCausalConvsTest, WhatIsKeptForTheNextRun) {
  const std::string body = Fused({.has_state = true});
  const std::string line = Line(body);
  const std::string begin = "%conv: float32[2, 6, n], ";
  ASSERT_TRUE(line.starts_with(begin)) << line;
  const std::string state = line.substr(begin.size(), line.find(':', begin.size()) - begin.size());
  EXPECT_NE(body.find("= Relu(" + state + ")"), std::string::npos) << body;
  // These places begin earlier.
  const std::string other = Fused({.has_state = true, .state = -4});
  EXPECT_EQ(Line(other), "%conv: float32[2, 6, n] = CausalConvWithState(%x, %w, %bias, %past)");
  EXPECT_NE(other.find("= Relu(%kept)"), std::string::npos) << other;
}

// One difference each to what is fused.
TEST(FuseCausalConvsTest, WhatIsAnotherStays) {
  EXPECT_NE(Fused({}), "");
  EXPECT_EQ(Fused({.opset = 26}), "");
  EXPECT_EQ(Fused({.dtype = DType::kFloat16}), "");
  EXPECT_EQ(Fused({.group = 3}), "");
  EXPECT_EQ(Fused({.strides = {2}}), "");
  EXPECT_EQ(Fused({.kept = 4}), "");
  EXPECT_EQ(Fused({.axis = 1}), "");
}

}  // namespace
}  // namespace onnxport::passes::fuse_causal_convs_test
