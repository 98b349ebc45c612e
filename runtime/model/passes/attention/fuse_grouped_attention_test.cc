#include "runtime/model/passes/attention/fuse_grouped_attention.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::fuse_grouped_attention_test {
namespace {

using ir::Dim;
using ir::Dims;
using ir::DType;
using ir::ValueId;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

enum class Mask {
  kNone,
  kCausal,  // places of keys up to those of queries
  kInput,   // true: is seen
  kAdded,   // a float32
  kFinite,  // 0 or -1e30, as the input says
};

// Queries of four heads over two heads of a cache, with `places` new ones.
struct Program {
  DType dtype = DType::kFloat32;
  Dim batch = 1;
  Dim places = Sym("s");
  int64_t heads = 4;
  int64_t features = 8;
  int64_t axis = 2;               // along which a cache is joined with what is new
  Dim past_of_values = Sym("p");  // places
  Mask mask = Mask::kNone;
  Dim first = Sym("p");       // place of the queries, for the causal mask
  bool has_guard = false;     // a Where behind the Attention, NaN for rows that see nothing
  bool uses_guarded = false;  // what the Attention gives, beside that
  std::vector<ir::Attribute> attributes = {{"scale", {0.5}}};
};

class Builder {
 public:
  explicit Builder(const Program& test) : b(23), test_(test) {
    for (const char* symbol : {"p", "s", "n"}) b.graph.ranges[symbol] = {.min = 1, .max = 4096};
  }

  ValueId Layer(const std::string& name) {
    const Dims q = {test_.batch, test_.heads, test_.places, test_.features};
    std::vector<ValueId> inputs = {b.Input(name + "q", q, test_.dtype), Cache(name + "k", Sym("p")),
                                   Cache(name + "v", test_.past_of_values)};
    const ValueId mask = test_.mask == Mask::kNone ? ValueId::kNone : MakeMask();
    if (mask != ValueId::kNone) inputs.push_back(mask);
    const ValueId y = b.Node("Attention", inputs, name + "y", q, test_.dtype, test_.attributes);
    if (!test_.has_guard) return y;
    if (test_.uses_guarded) b.Output(y);
    return b.Node("Where", {SeesAny(mask), y, Number("nan", kNaN)}, name + "shown", q, test_.dtype);
  }

  // The graph after the pass; empty if it changed nothing.
  std::string Fused() {
    const std::string before = Body(b.graph);
    const bool changed = FuseGroupedAttention(&b.graph);
    EXPECT_EQ(Body(b.graph) != before, changed);
    return changed ? Body(b.graph) : "";
  }

  GraphBuilder b;

 private:
  ValueId Cache(const std::string& name, const Dim& places) {
    const Dims past = {test_.batch, 2, places, test_.features};
    const Dims fresh = {test_.batch, 2, test_.places, test_.features};
    Dims all = past;
    all[2] = places + test_.places;
    return b.Node("Concat", {b.Input(name + "_past", past, test_.dtype), b.Input(name, fresh, test_.dtype)},
                  name + "_all", all, test_.dtype, {{"axis", {test_.axis}}});
  }
  ValueId Number(const std::string& name, double number) {
    return b.Constant(name, {test_.dtype, {}, {onnx_ops::FromFloat(number)}});
  }
  ValueId Int(const std::string& name, const Dim& number) {
    const ValueId id = b.Input(name, {}, DType::kInt64);
    b.graph.value(id).contents = Dims{number};
    return id;
  }
  ValueId Places(const std::string& name, const Dim& from, const Dim& count) {
    return b.Node("Range", {Int(name + "0", from), Int(name + "1", from + count), Int(name + "2", 1)}, name, {count},
                  DType::kInt64);
  }
  ValueId MakeMask() {
    const Dim keys = Sym("p") + test_.places;
    const Dims matrix = {test_.places, keys};
    if (test_.mask == Mask::kAdded) return b.Input("m", matrix);
    if (test_.mask == Mask::kCausal) {
      const ValueId rows = b.Node("Unsqueeze", {Places("rows", test_.first, test_.places), b.Ints("at", {1})}, "turned",
                                  {test_.places, 1}, DType::kInt64);
      return b.Node("LessOrEqual", {Places("columns", 0, keys), rows}, "m", matrix, DType::kBool);
    }
    const ValueId input = b.Input("m", matrix, DType::kBool);
    if (test_.mask == Mask::kInput) return input;
    return b.Node("Where", {input, Number("zero", 0), Number("hidden", -1e30)}, "finite", matrix);
  }

  // As FuseAttention has it.
  ValueId SeesAny(ValueId mask) {
    const Dims dims = *b.graph.value(mask).dims;
    const Dims row = {dims[0], 1};
    if (b.graph.value(mask).dtype != DType::kBool)
      mask = b.Node("Greater", {mask, Number("least", -kInfinity)}, "seen", dims, DType::kBool);
    const auto cast = [&](ValueId x, const std::string& name, const Dims& shape, DType to) {
      return b.Node("Cast", {x}, name, shape, to, {{"to", {static_cast<int64_t>(to)}}});
    };
    const ValueId counted = cast(mask, "counted", dims, DType::kInt32);
    const ValueId any =
        b.Node("ReduceMax", {counted, b.Ints("last", {-1})}, "any", row, DType::kInt32, {{"keepdims", {int64_t{1}}}});
    return cast(any, "sees", row, DType::kBool);
  }

  Program test_;
};

std::string Fused(const Program& test) {
  Builder builder(test);
  builder.b.Output(builder.Layer(""));
  return builder.Fused();
}

// The new node's inputs behind cache and lengths, and its attributes; "" if there is none.
std::string Rest(const std::string& body) {
  size_t at = body.find("= com.microsoft.GroupQueryAttention(");
  if (at == std::string::npos) return "";
  for (int input = 0; input < 7; ++input) at = body.find(", ", at) + 2;
  return body.substr(at, body.find(')', at) - at);
}

TEST(FuseGroupedAttentionTest, WithoutMask) {
  EXPECT_EQ(Fused({}), R"(%k_all: float32[1, 2, p + s, 8] = Concat(%k_past, %k, axis=2)
%v_all: float32[1, 2, p + s, 8] = Concat(%v_past, %v, axis=2)
%#8: float32[1, s, 4, 8] = Transpose(%q, perm=[0, 2, 1, 3])
%#9: int64[3] {0, 0, 32} = Constant(value=int64[3]{0, 0, 32})
%#10: float32[1, s, 32] = Reshape(%#8, %#9)
%#11: int64[1] = Shape(%k_past, start=2, end=3)
%#12: int64[1] = Shape(%#10, start=1, end=2)
%#13: int64[1] = Add(%#11, %#12)
%#14: int32[1] = Cast(%#13, to=6)
%#15: int64[1] {0} = Constant(value=int64[1]{0})
%#16: int32[] = Squeeze(%#14, %#15)
%#17: int64[1] {1} = Constant(value=int64[1]{1})
%#18: int32[1] = Cast(%#17, to=6)
%#19: int32[1] = Sub(%#14, %#18)
%#20: float32[1, s, 2, 8] = Transpose(%k, perm=[0, 2, 1, 3])
%#21: int64[3] {0, 0, 16} = Constant(value=int64[3]{0, 0, 16})
%#22: float32[1, s, 16] = Reshape(%#20, %#21)
%#23: float32[1, s, 2, 8] = Transpose(%v, perm=[0, 2, 1, 3])
%#24: int64[3] {0, 0, 16} = Constant(value=int64[3]{0, 0, 16})
%#25: float32[1, s, 16] = Reshape(%#23, %#24)
)"
                       "%#26: float32[1, s, 32], %#27: float32[1, 2, p + s, 8], %#28: float32[1, 2, p + s, 8] = "
                       "com.microsoft.GroupQueryAttention(%#10, %#22, %#25, %k_past, %v_past, %#19, %#16, "
                       "num_heads=4, kv_num_heads=2, causal=0, scale=0.5)\n"
                       R"(%#29: int64[4] {0, 0, 4, 8} = Constant(value=int64[4]{0, 0, 4, 8})
%#30: float32[1, s, 4, 8] = Reshape(%#26, %#29)
%y: float32[1, 4, s, 8] = Transpose(%#30, perm=[0, 2, 1, 3])
output out0 = %y
)");
}

TEST(FuseGroupedAttentionTest, ACausalMask) {
  const char* const kCausal = "num_heads=4, kv_num_heads=2, scale=0.5";
  EXPECT_EQ(Rest(Fused({.mask = Mask::kCausal})), kCausal);
  // Each row sees its own place, so the guard goes.
  const std::string body = Fused({.mask = Mask::kCausal, .has_guard = true});
  EXPECT_EQ(Rest(body), kCausal);
  EXPECT_EQ(body.find("= Where("), std::string::npos) << body;
  // The queries are in front of what is in the cache, so the mask is an input, which needs the guard.
  EXPECT_EQ(Fused({.mask = Mask::kCausal, .first = 0}), "");
  const std::string other = Rest(Fused({.mask = Mask::kCausal, .first = 0, .has_guard = true}));
  EXPECT_TRUE(other.starts_with("None, None, None, %")) << other;
}

TEST(FuseGroupedAttentionTest, AnotherMaskIsAnInput) {
  const std::string body = Fused({.mask = Mask::kInput, .has_guard = true});
  const std::string rest = Rest(body);
  EXPECT_TRUE(rest.starts_with("None, None, None, %")) << body;
  EXPECT_TRUE(rest.ends_with(", num_heads=4, kv_num_heads=2, causal=0, scale=0.5")) << body;
  EXPECT_NE(body.find("float32[s, p + s] = Where(%m, "), std::string::npos) << body;
  EXPECT_NE(body.find("float32[1, 1, s, p + s] = Unsqueeze("), std::string::npos) << body;
  EXPECT_NE(body.find("= Where(%sees, %y, %nan)"), std::string::npos) << body;
  EXPECT_NE(Fused({.mask = Mask::kFinite}), "");
  // For a row that is hidden altogether the operator gives NaN, and Attention 0.
  EXPECT_EQ(Fused({.mask = Mask::kInput}), "");
  EXPECT_EQ(Fused({.mask = Mask::kAdded}), "");
  EXPECT_NE(Fused({.mask = Mask::kAdded, .has_guard = true}), "");
  EXPECT_EQ(Fused({.mask = Mask::kAdded, .has_guard = true, .uses_guarded = true}), "");
}

TEST(FuseGroupedAttentionTest, OneNewPlaceOfSeveralSequences) {
  const std::string body = Fused({.batch = Sym("n"), .places = 1});
  EXPECT_NE(body, "");
  // The place of the last key is one of each sequence.
  EXPECT_NE(body.find("int32[n] = Expand("), std::string::npos) << body;
  EXPECT_EQ(Fused({.batch = Sym("n"), .places = 2}), "");
  EXPECT_EQ(Fused({.batch = 2}), "");
}

TEST(FuseGroupedAttentionTest, LayersShareLengths) {
  Builder builder({});
  for (const char* name : {"a_", "b_"}) builder.b.Output(builder.Layer(name));
  builder.b.Output(builder.b.graph.body.nodes[0].outputs[0]);  // the longer cache
  const std::string body = builder.Fused();
  size_t sums = 0;
  for (size_t at = body.find("= Add("); at != std::string::npos; at = body.find("= Add(", at + 1)) ++sums;
  EXPECT_EQ(sums, 1U) << body;
  // The operator gives the longer cache, too.
  EXPECT_EQ(body.find("output out2 = %a_k_all"), std::string::npos) << body;
}

// One difference each to what is fused.
TEST(FuseGroupedAttentionTest, WhatIsAnotherStays) {
  EXPECT_NE(Fused({}), "");
  EXPECT_EQ(Fused({.dtype = DType::kFloat16}), "");
  EXPECT_EQ(Fused({.heads = 3}), "");
  EXPECT_EQ(Fused({.features = 12}), "");
  EXPECT_EQ(Fused({.axis = 1}), "");
  EXPECT_EQ(Fused({.past_of_values = Sym("n")}), "");
  EXPECT_EQ(Fused({.attributes = {{"is_causal", {int64_t{1}}}}}), "");
}

// A Where that the program has of its own, behind a causal attention.
TEST(FuseGroupedAttentionTest, AnotherConditionIsNoGuard) {
  for (const bool is_guard : {true, false}) {
    GraphBuilder b(23);
    const auto cached = [&](const std::string& name) {
      return b.Node("Concat", {b.Input(name + "_past", {1, 2, 3, 8}), b.Input(name, {1, 2, 2, 8})}, name + "_all",
                    {1, 2, 5, 8}, DType::kFloat32, {{"axis", {int64_t{2}}}});
    };
    const ValueId mask = b.Constant("mask", {DType::kBool, {2, 5}, {1, 1, 1, 1, 0, 1, 1, 1, 1, 1}});
    const ValueId y =
        b.Node("Attention", {b.Input("q", {1, 2, 2, 8}), cached("k"), cached("v"), mask}, "y", {1, 2, 2, 8});
    const ValueId counted = b.Node("Cast", {mask}, "counted", {2, 5}, DType::kInt32);
    const ValueId any = b.Node("ReduceMax", {counted, b.Ints("last", {-1})}, "any", {2, 1}, DType::kInt32);
    const ValueId sees = b.Node("Cast", {any}, "sees", {2, 1}, DType::kBool);
    const ValueId keep = b.Input("keep", {2, 1}, DType::kBool);
    const ValueId zero = b.Constant("zero", {DType::kFloat32, {}, {0}});
    b.Output(b.Node("Where", {is_guard ? sees : keep, y, zero}, "z", {1, 2, 2, 8}));
    EXPECT_TRUE(FuseGroupedAttention(&b.graph));
    EXPECT_EQ(Body(b.graph).find("Where(%keep, %y, %zero)") == std::string::npos, is_guard);
  }
}

}  // namespace
}  // namespace onnxport::passes::fuse_grouped_attention_test
