#include "runtime/model/passes/attention/join_heads.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::join_heads_test {
namespace {

using ir::Dim;
using ir::Dims;
using ir::DType;
using ir::ValueId;

// An Attention of 3 heads of queries, one of keys and values, and 8 features, as programs have it.
struct Program {
  Dim heads = 3;
  bool divides = true;  // in front of the Attention: else the heads are there already
  bool joins = true;    // behind it
  std::vector<ir::Attribute> attributes = {};
  bool has_cache = false;
  bool uses_twice = false;  // what the Attention gives
  bool rotates = false;
  bool uses_rotated = false;
  Dims sees = {};  // empty: there is no Where
};

// The graph after the pass; empty if it changed nothing.
std::string Joined(const Program& test) {
  GraphBuilder b(23);
  b.graph.ranges["h"] = {.min = 1, .max = 8};
  const auto turned = [&](ValueId x, const std::string& name, const Dims& dims) {
    return b.Node("Transpose", {x}, name, dims, DType::kFloat32, {{"perm", IntList({0, 2, 1, 3})}});
  };
  const auto divided = [&](const std::string& name, int64_t places, const Dim& heads) {
    if (!test.divides) return b.Input(name, {2, heads, places, 8});
    const ValueId x = b.Input(name, {2, places, heads * 8});
    const ValueId shape = b.Ints(name + "_shape", {2, places, -1, 8});
    const ValueId split = b.Node("Reshape", {x, shape}, name + "_split", {2, places, heads, 8});
    return turned(split, name + "_heads", {2, heads, places, 8});
  };
  ValueId q = divided("q", 5, test.heads);
  if (test.rotates) {
    q = b.Node("RotaryEmbedding", {q, b.Input("cos", {2, 5, 4}), b.Input("sin", {2, 5, 4})}, "rotated",
               {2, test.heads, 5, 8}, DType::kFloat32, {{"interleaved", {int64_t{1}}}});
    if (test.uses_rotated) b.Output(q);
  }
  std::vector<ValueId> inputs = {q, divided("k", 7, 1), divided("v", 7, 1)};
  if (test.has_cache) {
    inputs.push_back(ValueId::kNone);
    for (const char* name : {"past_k", "past_v"}) inputs.push_back(b.Input(name, {2, 1, 4, 8}));
  }
  ValueId y = b.Node("Attention", inputs, "a", {2, test.heads, 5, 8}, DType::kFloat32, test.attributes);
  if (test.uses_twice) b.Output(y);
  if (!test.sees.empty()) {
    const int64_t nan = onnx_ops::FromFloat(std::numeric_limits<double>::quiet_NaN());
    const ValueId number = b.Constant("nan", {DType::kFloat32, {}, {nan}});
    y = b.Node("Where", {b.Input("sees", test.sees, DType::kBool), y, number}, "shown", {2, test.heads, 5, 8});
  }
  if (test.joins) {
    y = b.Node("Reshape", {turned(y, "places", {2, 5, test.heads, 8}), b.Ints("shape", {2, 5, -1})}, "y",
               {2, 5, test.heads * 8});
  }
  b.Output(y);
  const std::string before = Body(b.graph);
  const bool changed = JoinHeads(&b.graph);
  EXPECT_EQ(Body(b.graph) != before, changed);
  return changed ? Body(b.graph) : "";
}

// From the line that has this on.
std::string From(const std::string& what, const std::string& body) {
  const size_t at = body.find(what);
  const size_t line = at == std::string::npos ? at : body.rfind('\n', at);
  return line == std::string::npos ? body : body.substr(line + 1);
}

TEST(JoinHeadsTest, TakesAndGivesJoinedHeads) {
  // Later passes take out each Transpose there and back.
  EXPECT_EQ(From("Transpose(%q_heads", Joined({})),
            R"(%#16: float32[2, 5, 3, 8] = Transpose(%q_heads, perm=[0, 2, 1, 3])
%#17: int64[3] {0, 0, 24} = Constant(value=int64[3]{0, 0, 24})
%#18: float32[2, 5, 24] = Reshape(%#16, %#17)
%#19: float32[2, 7, 1, 8] = Transpose(%k_heads, perm=[0, 2, 1, 3])
%#20: int64[3] {0, 0, 8} = Constant(value=int64[3]{0, 0, 8})
%#21: float32[2, 7, 8] = Reshape(%#19, %#20)
%#22: float32[2, 7, 1, 8] = Transpose(%v_heads, perm=[0, 2, 1, 3])
%#23: int64[3] {0, 0, 8} = Constant(value=int64[3]{0, 0, 8})
%#24: float32[2, 7, 8] = Reshape(%#22, %#23)
%#25: float32[2, 5, 24] = Attention(%#18, %#21, %#24, q_num_heads=3, kv_num_heads=1)
%#26: int64[4] {0, 0, 3, 8} = Constant(value=int64[4]{0, 0, 3, 8})
%#27: float32[2, 5, 3, 8] = Reshape(%#25, %#26)
%a: float32[2, 3, 5, 8] = Transpose(%#27, perm=[0, 2, 1, 3])
%places: float32[2, 5, 3, 8] = Transpose(%a, perm=[0, 2, 1, 3])
%shape: int64[3] = Constant(value=int64[3]{2, 5, -1})
%y: float32[2, 5, 24] = Reshape(%places, %shape)
output out0 = %y
)");
}

TEST(JoinHeadsTest, RotationsTakeJoinedHeads) {
  const std::string body = Joined({.rotates = true});
  EXPECT_NE(body.find("%#21: float32[2, 5, 24] = Reshape("), std::string::npos) << body;
  EXPECT_NE(body.find("%#22: float32[2, 5, 24] = RotaryEmbedding(%#21, %cos, %sin, interleaved=1, num_heads=3)"),
            std::string::npos)
      << body;
  EXPECT_NE(body.find("= Attention(%#22, "), std::string::npos) << body;
  // Something else needs the heads.
  EXPECT_EQ(Joined({.rotates = true, .uses_rotated = true}), "");
}

TEST(JoinHeadsTest, AWhereOfWholeRows) {
  const std::string body = Joined({.sees = {2, 1, 5, 1}});
  EXPECT_NE(body.find("%#28: float32[2, 5, 24] = Attention("), std::string::npos) << body;
  EXPECT_NE(body.find("%#30: bool[2, 5, 1] = Squeeze(%sees, %#29)\n"
                      "%#31: float32[2, 5, 24] = Where(%#30, %#28, %nan)\n"),
            std::string::npos)
      << body;
  EXPECT_NE(body.find("%shown: float32[2, 3, 5, 8] = Transpose("), std::string::npos) << body;
  // Without an axis for the heads it is taken as it is.
  EXPECT_NE(Joined({.sees = {5, 1}}).find("float32[2, 5, 24] = Where(%sees, "), std::string::npos);
  // Heads see different rows.
  EXPECT_EQ(Joined({.sees = {2, 3, 5, 1}}), "");
  // It hides features, which become those of all heads.
  EXPECT_EQ(Joined({.sees = {5, 8}}), "");
}

TEST(JoinHeadsTest, WhatIsAnotherStays) {
  EXPECT_NE(Joined({}), "");
  EXPECT_EQ(Joined({.divides = false}), "");
  EXPECT_EQ(Joined({.joins = false}), "");
  EXPECT_EQ(Joined({.uses_twice = true}), "");
  EXPECT_EQ(Joined({.has_cache = true}), "");
  EXPECT_EQ(Joined({.attributes = {{"q_num_heads", {int64_t{3}}}}}), "");
  EXPECT_NE(Joined({.attributes = {{"is_causal", {int64_t{1}}}}}), "");
  // The attribute is a number.
  EXPECT_EQ(Joined({.heads = Sym("h")}), "");
}

}  // namespace
}  // namespace onnxport::passes::join_heads_test
