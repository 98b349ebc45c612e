#include "runtime/model/passes/attention/fuse_attention.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::fuse_attention_test {
namespace {

using ir::Dim;
using ir::Dims;
using ir::DType;
using ir::ValueId;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// softmax(q k^T * 0.5) v, with what a program does to the scores.
class Program {
 public:
  explicit Program(Dim keys = 5, int opset = 23, DType dtype = DType::kFloat32)
      : b(opset), scores({2, 3, 5, keys}), keys_(std::move(keys)), dtype_(dtype) {}

  ValueId Op(const std::string& op, const std::vector<ValueId>& inputs, const std::string& name, const Dims& dims,
             std::vector<ir::Attribute> attributes = {}) {
    return b.Node(op, inputs, name, dims, dtype_, std::move(attributes));
  }
  ValueId Number(double number) {
    const std::string name = "c" + std::to_string(count_++);
    return b.Constant(name, {dtype_, {}, {onnx_ops::FromFloat(number)}});
  }
  ValueId Product() {
    const ValueId q = b.Input("q", {2, 3, 5, 8}, dtype_);
    const ValueId k = b.Input("k", {2, 3, keys_, 8}, dtype_);
    const ValueId turned = Op("Transpose", {k}, "kt", {2, 3, 8, keys_}, {{"perm", IntList({0, 1, 3, 2})}});
    return Op("Mul", {Op("MatMul", {q, turned}, "qk", scores), Number(0.5)}, "scaled", scores);
  }
  ValueId Softmax(ValueId of) { return Op("Softmax", {of}, "weights", scores, {{"axis", {int64_t{-1}}}}); }
  void Finish(ValueId weights) {
    b.Output(Op("MatMul", {weights, b.Input("v", {2, 3, keys_, 8}, dtype_)}, "y", {2, 3, 5, 8}));
  }
  // The graph after the pass; empty if it changed nothing.
  std::string Fused() {
    const std::string before = Body(b.graph);
    const bool changed = FuseAttention(&b.graph);
    EXPECT_EQ(Body(b.graph) != before, changed);
    return changed ? Body(b.graph) : "";
  }

  GraphBuilder b;
  const Dims scores;

 private:
  Dim keys_;
  DType dtype_;
  int count_ = 0;
};

// The nodes of the operator, without what their results are called; "" if there is none.
std::string NodesOf(const std::string& op, const std::string& body) {
  std::string found;
  for (size_t at = body.find("= " + op + "("); at != std::string::npos; at = body.find("= " + op + "(", at + 1)) {
    if (!found.empty()) found += ' ';
    found += body.substr(at + 2, body.find('\n', at) - at - 2);
  }
  return found;
}

TEST(FuseAttentionTest, TakesWhatIsInFrontOfTheTranspose) {
  Program p;
  p.Finish(p.Softmax(p.Product()));
  const std::string body = p.Fused();
  EXPECT_NE(body.find("%y: float32[2, 3, 5, 8] = Attention(%q, %k, %v, scale=0.5)\n"), std::string::npos) << body;

  Program old(5, 22);
  old.Finish(old.Softmax(old.Product()));
  EXPECT_EQ(old.Fused(), "");
  Program doubles(5, 23, DType::kFloat64);
  doubles.Finish(doubles.Softmax(doubles.Product()));
  EXPECT_EQ(doubles.Fused(), "");
}

// Square scores, and a constant that shows each query the keys up to its own and `further` ones.
ValueId MaskOf(Program& p, int64_t keys, int64_t further) {
  std::vector<int64_t> elements;
  for (int64_t i = 0; i < 5; ++i)
    for (int64_t j = 0; j < keys; ++j) elements.push_back(j <= i + further ? 1 : 0);
  return p.b.Constant("m", {DType::kBool, {5, keys}, elements});
}

struct MaskCase {
  const char* what;
  std::function<ValueId(Program&)> masked;  // scores
  const char* attention;                    // empty: nothing is fused
  const char* where = "";                   // beside that of the program
  int64_t keys = 5;
};

TEST(FuseAttentionTest, Masks) {
  const auto shows = [](Program& p, ValueId mask, double fill) {
    return p.Op("Where", {mask, p.Product(), p.Number(fill)}, "masked", p.scores);
  };
  const auto input = [](Program& p, const Dims& dims, DType dtype) { return p.b.Input("m", dims, dtype); };
  const Dims dims = {2, 1, 5, 5};
  const char* const kCausal = "Attention(%q, %k, %v, scale=0.5, is_causal=1)";
  const char* const kMasked = "Attention(%q, %k, %v, %m, scale=0.5)";
  // A row that is hidden altogether is NaN in the program.
  const char* const kGuard = "Where(%#15, %#17, %#18)";
  const MaskCase cases[] = {
      {"causal", [&](Program& p) { return shows(p, MaskOf(p, 5, 0), -kInfinity); }, kCausal},
      {"causal, of a large number", [&](Program& p) { return shows(p, MaskOf(p, 5, 0), -1e9); }, kCausal},
      {"one place further", [&](Program& p) { return shows(p, MaskOf(p, 5, 1), -kInfinity); }, kMasked},
      // Versions of the operator differ on the place of the diagonal.
      {"more keys than queries", [&](Program& p) { return shows(p, MaskOf(p, 6, 0), -kInfinity); }, kMasked, "", 6},
      {"hides a row", [&](Program& p) { return shows(p, MaskOf(p, 5, -1), -kInfinity); }, kMasked, kGuard},
      {"of a run", [&](Program& p) { return shows(p, input(p, dims, DType::kBool), -kInfinity); }, kMasked, kGuard},
      {"of a run, finite", [&](Program& p) { return shows(p, input(p, dims, DType::kBool), -1e38); },
       "Attention(%q, %k, %v, %#14, scale=0.5)", "Where(%m, %#12, %#13)"},
      // It is not added to the scores, which shows where a row is hidden altogether.
      {"of a run, too small", [&](Program& p) { return shows(p, input(p, dims, DType::kBool), -1e9); }, ""},
      {"of a run, one for all keys", [&](Program& p) { return shows(p, input(p, {5, 1}, DType::kBool), -kInfinity); },
       ""},
      {"added, of another dtype",
       [&](Program& p) { return p.Op("Add", {p.Product(), input(p, dims, DType::kFloat16)}, "masked", p.scores); }, ""},
  };
  for (const MaskCase& test : cases) {
    Program p(test.keys);
    p.Finish(p.Softmax(test.masked(p)));
    std::string body = p.Fused();
    EXPECT_EQ(NodesOf("Attention", body), test.attention) << test.what << "\n" << body;
    const std::string own = "%masked: ";
    if (const size_t at = body.find(own); at != std::string::npos) body.erase(at, body.find('\n', at) - at);
    EXPECT_EQ(NodesOf("Where", body), test.where) << test.what << "\n" << body;
  }
}

TEST(FuseAttentionTest, AddedMasks) {
  const auto body_of = [](int opset) {
    Program p(5, opset);
    const ValueId mask = p.b.Input("m", {5}, DType::kFloat32);
    p.Finish(p.Softmax(p.Op("Add", {mask, p.Product()}, "masked", p.scores)));
    return p.Fused();
  };
  // Runtimes want a row for each query.
  const std::string body = body_of(25);
  EXPECT_NE(body.find("float32[5, 5] = Expand(%m, "), std::string::npos) << body;
  EXPECT_EQ(NodesOf("Equal", body), "");
  // Up to opset 24 the lowest number becomes the next one.
  EXPECT_NE(NodesOf("Equal", body_of(24)), "");
}

TEST(FuseAttentionTest, WeightsThatAreUsed) {
  const auto body_of = [](const Dim& keys) {
    Program p(keys);
    const ValueId weights = p.Softmax(p.Product());
    p.Finish(weights);
    p.b.Output(weights);
    return p.Fused();
  };
  const std::string body = body_of(7);
  EXPECT_EQ(NodesOf("Attention", body), "Attention(%q, %k, %v, scale=0.5, qk_matmul_output_mode=3)") << body;
  EXPECT_NE(body.find("%y: float32[2, 3, 5, 8], _, _, %weights: float32[2, 3, 5, 7] = "), std::string::npos) << body;
  // The size of that output is wrong in a runtime if nobody knows the number of keys.
  EXPECT_EQ(body_of(Sym("n")), "");
  Program unused(Sym("n"));
  unused.Finish(unused.Softmax(unused.Product()));
  EXPECT_NE(unused.Fused(), "");
}

// Batch and heads are one axis of the products.
TEST(FuseAttentionTest, ThreeAxes) {
  GraphBuilder b(23);
  const ValueId q = b.Node("Reshape", {b.Input("q", {2, 3, 5, 8}), b.Ints("s", {6, 5, 8})}, "joined", {6, 5, 8});
  const ValueId k = b.Input("k", {6, 8, 7});
  const ValueId product = b.Node("MatMul", {q, k}, "qk", {6, 5, 7});
  const ValueId weights = b.Node("Softmax", {product}, "weights", {6, 5, 7}, DType::kFloat32, {{"axis", {int64_t{2}}}});
  b.Output(b.Node("MatMul", {weights, b.Input("v", {6, 7, 8})}, "y", {6, 5, 8}));
  EXPECT_TRUE(FuseAttention(&b.graph));
  const std::string body = Body(b.graph);
  EXPECT_NE(body.find("float32[2, 3, 5, 8] = Reshape(%joined, "), std::string::npos) << body;
  EXPECT_NE(body.find("float32[2, 3, 8, 7] = Reshape(%k, "), std::string::npos) << body;
  EXPECT_NE(body.find("float32[2, 3, 7, 8] = Transpose("), std::string::npos) << body;
  EXPECT_NE(body.find("float32[2, 3, 7, 8] = Reshape(%v, "), std::string::npos) << body;
  EXPECT_NE(body.find("float32[2, 3, 5, 8] = Attention("), std::string::npos) << body;
  EXPECT_NE(body.find("%y: float32[6, 5, 8] = Reshape("), std::string::npos) << body;
}

// Keys and values of two heads, repeated for six of the queries, in front of what is an operator already.
std::string OfOperator(int64_t heads_of_values, bool repeats_values) {
  GraphBuilder b(23);
  const auto repeated = [&](const std::string& name, int64_t heads) {
    const Dims many = {2, heads, 6 / heads, 7, 8};
    const ValueId few = b.Input(name, {2, heads, 1, 7, 8});
    const ValueId shape = b.Ints(name + "_shape", {2, 6, 7, 8});
    return b.Node("Reshape", {b.Node("Expand", {few, shape}, name + "_many", many), shape}, name + "_all",
                  {2, 6, 7, 8});
  };
  const ValueId k = repeated("k", 2);
  const ValueId v = repeats_values ? repeated("v", heads_of_values) : b.Input("v", {2, 6, 7, 8});
  b.Output(b.Node("Attention", {b.Input("q", {2, 6, 5, 8}), k, v}, "y", {2, 6, 5, 8}));
  return FuseAttention(&b.graph) ? Body(b.graph) : "";
}

TEST(FuseAttentionTest, AnOperatorSharesHeads) {
  const std::string body = OfOperator(2, true);
  EXPECT_NE(body.find("float32[2, 2, 7, 8] = Squeeze(%k, "), std::string::npos) << body;
  EXPECT_NE(body.find("float32[2, 2, 7, 8] = Squeeze(%v, "), std::string::npos) << body;
  EXPECT_EQ(body.find("Attention(%q, %k_all"), std::string::npos) << body;
  EXPECT_EQ(OfOperator(3, true), "");
  EXPECT_EQ(OfOperator(2, false), "");
}

// The reshapes divide the twelve heads of all batches in two ways: a mask of one way does not fit the other.
TEST(FuseAttentionTest, HeadsThatAreDividedInTwoWaysStay) {
  const auto is_fused = [](const Dims& scores, bool uses_weights) {
    GraphBuilder b(23);
    const ValueId product =
        b.Node("MatMul", {b.Input("q", {2, 6, 5, 8}), b.Input("k", {2, 6, 8, 7})}, "product", {2, 6, 5, 7});
    ValueId x =
        b.Node("Reshape", {product, b.Ints("to_scores", {scores[0].number(), scores[1].number(), 5, 7})}, "x", scores);
    if (!uses_weights) x = b.Node("Add", {x, b.Input("mask", {scores[0], 1, 5, 7})}, "masked", scores);
    const ValueId weights = b.Node("Softmax", {x}, "weights", scores, DType::kFloat32, {{"axis", {int64_t{-1}}}});
    if (uses_weights) b.Output(weights);
    const ValueId back = b.Node("Reshape", {weights, b.Ints("to_heads", {2, 6, 5, 7})}, "back", {2, 6, 5, 7});
    b.Output(b.Node("MatMul", {back, b.Input("v", {2, 6, 7, 8})}, "y", {2, 6, 5, 8}));
    return FuseAttention(&b.graph);
  };
  for (const bool uses_weights : {false, true}) {
    EXPECT_FALSE(is_fused({3, 4, 5, 7}, uses_weights));
    EXPECT_TRUE(is_fused({2, 6, 5, 7}, uses_weights));
  }
}

}  // namespace
}  // namespace onnxport::passes::fuse_attention_test
