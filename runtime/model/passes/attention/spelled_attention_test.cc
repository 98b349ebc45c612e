#include "runtime/model/passes/attention/spelled_attention.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::spelled_attention_test {
namespace {

using ir::Dims;
using ir::DType;
using ir::ValueId;

const Dims kQueries = {2, 6, 5, 8};
const Dims kKeys = {2, 6, 7, 8};
const Dims kTurnedKeys = {2, 6, 8, 7};
const Dims kScores = {2, 6, 5, 7};

// A program on queries, keys and values.
class Program {
 public:
  explicit Program(DType dtype = DType::kFloat32) : dtype_(dtype) {}

  ValueId Op(const std::string& op, const std::vector<ValueId>& inputs, const Dims& dims,
             std::vector<ir::Attribute> attributes = {}) {
    return b.Node(op, inputs, "v" + std::to_string(count_++), dims, dtype_, std::move(attributes));
  }
  ValueId Number(double number) {
    return b.Constant("c" + std::to_string(count_++), {dtype_, {}, {onnx_ops::FromFloat(number)}});
  }
  ValueId Input(const std::string& name, const Dims& dims) { return b.Input(name, dims, dtype_); }
  ValueId Turned(ValueId x, const Dims& dims, const std::vector<int64_t>& perm = {0, 1, 3, 2}) {
    return Op("Transpose", {x}, dims, {{"perm", IntList(perm)}});
  }
  ValueId Product() { return Op("MatMul", {Input("q", kQueries), Turned(Input("k", kKeys), kTurnedKeys)}, kScores); }
  ValueId Scaled(ValueId x, double by) { return Op("Mul", {x, Number(by)}, *b.graph.value(x).dims); }
  ValueId Softmax(ValueId scores, int64_t axis = -1) {
    return Op("Softmax", {scores}, *b.graph.value(scores).dims, {{"axis", {axis}}});
  }
  // Softmax of the scores, by the values.
  std::string Found(ValueId scores) { return Found(Softmax(scores), Input("v", kKeys), kQueries); }
  std::string Found(ValueId weights, ValueId values, const Dims& dims) {
    b.Output(Op("MatMul", {weights, values}, dims));
    const Producers producers(b.graph);
    const auto found = FindAttention(b.graph, producers, UseCounts(b.graph), b.graph.body.nodes.back());
    return found ? Text(*found) : "";
  }

  GraphBuilder b{23};

 private:
  // "q k0123 v0123, scale 0.5, 2 x 6" and what else there is.
  std::string Text(const SpelledAttention& found) const {
    const auto name = [this](ValueId id) { return b.graph.value(id).name; };
    std::ostringstream text;
    text << name(found.q);
    for (const AttentionHeads* heads : {&found.k, &found.v}) {
      text << " " << name(heads->from);
      for (const int64_t axis : heads->perm) text << axis;
      if (heads->repeats) text << " of " << heads->dims[1].ToString();
    }
    text << ", scale " << found.scale;
    if (found.softcap != 0) text << ", cap " << found.softcap;
    const char* const kinds[] = {"", ", added ", ", shows ", ", hides "};
    text << kinds[static_cast<size_t>(found.mask.kind)];
    if (found.mask.value != ValueId::kNone) text << name(found.mask.value) << " else " << found.mask.fill;
    if (found.weights != ValueId::kNone) text << ", weights";
    text << ", " << found.batch.ToString() << " x " << found.heads.ToString();
    return text.str();
  }

  DType dtype_;
  int count_ = 0;
};

struct ScoresCase {
  const char* what;
  std::function<ValueId(Program&)> scores;
  const char* expected;
};

TEST(SpelledAttentionTest, ScalesAndCaps) {
  const ScoresCase cases[] = {
      {"none", [](Program& p) { return p.Product(); }, "q k0123 v0123, scale 1, 2 x 6"},
      {"of the scores", [](Program& p) { return p.Scaled(p.Product(), 0.5); }, "q k0123 v0123, scale 0.5, 2 x 6"},
      {"in front of them", [](Program& p) { return p.Op("Mul", {p.Number(0.5), p.Product()}, kScores); },
       "q k0123 v0123, scale 0.5, 2 x 6"},
      {"a divisor", [](Program& p) { return p.Op("Div", {p.Product(), p.Number(4)}, kScores); },
       "q k0123 v0123, scale 0.25, 2 x 6"},
      {"one is divided by the scores", [](Program& p) { return p.Op("Div", {p.Number(4), p.Product()}, kScores); }, ""},
      {"of queries, of keys on both sides of the Transpose, and of the scores",
       [](Program& p) {
         const ValueId q = p.Scaled(p.Input("q", kQueries), 0.5);
         const ValueId k = p.Scaled(p.Turned(p.Scaled(p.Input("k", kKeys), 0.5), kTurnedKeys), 0.5);
         return p.Scaled(p.Op("MatMul", {q, k}, kScores), 0.5);
       },
       "q k0123 v0123, scale 0.0625, 2 x 6"},
      {"a cap", [](Program& p) { return p.Scaled(p.Op("Tanh", {p.Scaled(p.Product(), 0.125)}, kScores), 16); },
       "q k0123 v0123, scale 2, cap 16, 2 x 6"},
      {"a cap below zero",
       [](Program& p) { return p.Scaled(p.Op("Tanh", {p.Scaled(p.Product(), -0.125)}, kScores), -16); }, ""},
      {"not finite", [](Program& p) { return p.Op("Div", {p.Product(), p.Number(0)}, kScores); }, ""},
      {"below zero", [](Program& p) { return p.Scaled(p.Product(), -1); }, ""},
  };
  for (const ScoresCase& test : cases) {
    Program p;
    EXPECT_EQ(p.Found(test.scores(p)), test.expected) << test.what;
  }
}

TEST(SpelledAttentionTest, Masks) {
  const Dims mask = {2, 1, 5, 7};
  const auto shown = [](Program& p) { return p.b.Input("m", {5, 7}, DType::kBool); };
  const ScoresCase cases[] = {
      {"added", [&](Program& p) { return p.Op("Add", {p.Scaled(p.Product(), 0.5), p.Input("m", mask)}, kScores); },
       "q k0123 v0123, scale 0.5, added m else 0, 2 x 6"},
      {"the other way round", [&](Program& p) { return p.Op("Add", {p.Input("m", mask), p.Product()}, kScores); },
       "q k0123 v0123, scale 1, added m else 0, 2 x 6"},
      {"what is seen", [&](Program& p) { return p.Op("Where", {shown(p), p.Product(), p.Number(-64)}, kScores); },
       "q k0123 v0123, scale 1, shows m else -64, 2 x 6"},
      {"what is hidden", [&](Program& p) { return p.Op("Where", {shown(p), p.Number(-64), p.Product()}, kScores); },
       "q k0123 v0123, scale 1, hides m else -64, 2 x 6"},
      // The scale is one of the mask, too.
      {"scaled", [&](Program& p) { return p.Scaled(p.Op("Add", {p.Product(), p.Input("m", mask)}, kScores), 2); }, ""},
      {"two of them",
       [&](Program& p) {
         const ValueId once = p.Op("Add", {p.Product(), p.Input("m", mask)}, kScores);
         return p.Op("Add", {once, p.Input("n", mask)}, kScores);
       },
       ""},
  };
  for (const ScoresCase& test : cases) {
    Program p;
    EXPECT_EQ(p.Found(test.scores(p)), test.expected) << test.what;
  }
}

// Scores of as many batches, to which a mask of two is added.
std::string OfWiderMask(int64_t batch) {
  Program p;
  const Dims keys = {batch, 6, 7, 8};
  const ValueId turned = p.Turned(p.Input("k", keys), {batch, 6, 8, 7});
  const ValueId scores = p.Op("MatMul", {p.Input("q", {batch, 6, 5, 8}), turned}, {batch, 6, 5, 7});
  const ValueId weights = p.Softmax(p.Op("Add", {scores, p.Input("m", {2, 1, 5, 7})}, kScores));
  return p.Found(weights, p.Input("v", keys), kQueries);
}

TEST(SpelledAttentionTest, AMaskMakesNoScores) {
  EXPECT_EQ(OfWiderMask(2), "q k0123 v0123, scale 1, added m else 0, 2 x 6");
  EXPECT_EQ(OfWiderMask(1), "");
}

// Keys and values of two heads, each of which is repeated for three heads of queries.
std::string OfSharedHeads(const Dims& few, const Dims& many) {
  Program p;
  const auto repeated = [&](const std::string& name) {
    const ValueId shape = p.b.Ints(name + "_shape", {0});
    return p.Op("Reshape", {p.Op("Expand", {p.Input(name, few), shape}, many), shape}, kKeys);
  };
  const ValueId k = p.Turned(repeated("k"), kTurnedKeys);
  const ValueId weights = p.Softmax(p.Op("MatMul", {p.Input("q", kQueries), k}, kScores));
  return p.Found(weights, repeated("v"), kQueries);
}

TEST(SpelledAttentionTest, HeadsThatAreShared) {
  EXPECT_EQ(OfSharedHeads({2, 2, 1, 7, 8}, {2, 2, 3, 7, 8}), "q k0123 of 2 v0123 of 2, scale 1, 2 x 6");
  // The heads come in turns: the operator has each one several times in a row.
  EXPECT_EQ(OfSharedHeads({2, 1, 2, 7, 8}, {2, 3, 2, 7, 8}).find(" of "), std::string::npos);
  // The batch is repeated, too.
  EXPECT_EQ(OfSharedHeads({1, 2, 1, 7, 8}, {2, 2, 3, 7, 8}).find(" of "), std::string::npos);
}

// [batch * heads, places, features] of what has four axes.
std::string OfThreeAxes(bool joins_heads) {
  Program p;
  const auto joined = [&](ValueId x, const Dims& dims) {
    return p.Op("Reshape", {x, p.b.Ints(p.b.graph.value(x).name + "_shape", {0})}, dims);
  };
  const Dims queries = {12, 5, 8};
  const ValueId q = joins_heads ? joined(p.Input("q", kQueries), queries) : p.Input("q", queries);
  const ValueId k = p.Turned(p.Input("k", {12, 7, 8}), {12, 8, 7}, {0, 2, 1});
  const ValueId weights = p.Softmax(p.Op("MatMul", {q, k}, {12, 5, 7}));
  return p.Found(weights, p.Input("v", {12, 7, 8}), queries);
}

TEST(SpelledAttentionTest, BatchAndHeadsOfThreeAxes) {
  EXPECT_EQ(OfThreeAxes(true), "v0 k012 v012, scale 1, 2 x 6");
  EXPECT_EQ(OfThreeAxes(false), "q k012 v012, scale 1, 12 x 1");
}

struct NearMiss {
  const char* what;
  int64_t axis = -1;
  DType dtype = DType::kFloat32;
  Dims factor = {};  // of the number by which the scores are multiplied
  bool scores_are_used = false;
  bool weights_are_used = false;
  bool is_product = true;  // of queries and keys
  Dims values = kKeys;
};

std::string Found(const NearMiss& test) {
  Program p(test.dtype);
  const ValueId product = test.is_product ? p.Product() : p.Input("scores", kScores);
  const ValueId factor = test.factor.empty() ? p.Number(0.5) : p.Input("factor", test.factor);
  const ValueId scores = p.Op("Mul", {product, factor}, kScores);
  if (test.scores_are_used) p.b.Output(scores);
  const ValueId weights = p.Softmax(scores, test.axis);
  if (test.weights_are_used) p.b.Output(weights);
  return p.Found(weights, p.Input("v", test.values), kQueries);
}

TEST(SpelledAttentionTest, OneDifference) {
  EXPECT_EQ(Found({.what = "none"}), "q k0123 v0123, scale 0.5, 2 x 6");
  EXPECT_EQ(Found({.what = "the axis by its number", .axis = 3}), "q k0123 v0123, scale 0.5, 2 x 6");
  // Weights may be used, as the operator gives them.
  EXPECT_EQ(Found({.what = "weights", .weights_are_used = true}), "q k0123 v0123, scale 0.5, weights, 2 x 6");
  const NearMiss cases[] = {
      {.what = "a softmax over the queries", .axis = 2},
      {.what = "float64", .dtype = DType::kFloat64},
      {.what = "a factor for each query", .factor = {5, 1}},
      {.what = "scores that are used", .scores_are_used = true},
      {.what = "scores of no product", .is_product = false},
      {.what = "values of one batch for all", .values = {1, 6, 7, 8}},
      {.what = "values without features", .values = {2, 6, 7, 0}},
  };
  for (const NearMiss& test : cases) EXPECT_EQ(Found(test), "") << test.what;
}

TEST(SpelledAttentionTest, HeadsOfAnOperator) {
  Program p;
  const ValueId x = p.Input("x", {2, 7, 6, 8});
  const ValueId turned = p.Turned(x, kKeys, {0, 2, 1, 3});
  const ValueId flat = p.Input("flat", {2, 7, 48, 1, 1});
  const Producers producers(p.b.graph);
  const UseCounts uses(p.b.graph);
  const AttentionHeads heads = FindHeads(p.b.graph, producers, uses, turned);
  EXPECT_EQ(heads.from, x);
  EXPECT_EQ(heads.perm, (onnx_ops::Perm{0, 2, 1, 3}));
  EXPECT_EQ(heads.dims, kKeys);
  EXPECT_FALSE(heads.repeats);
  EXPECT_EQ(FindHeads(p.b.graph, producers, uses, flat).from, ValueId::kNone);
}

}  // namespace
}  // namespace onnxport::passes::spelled_attention_test
