#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "runtime/model/passes/graph/remove_dead.h"
#include "runtime/model/passes/simplify/merge_chains.h"
#include "runtime/model/passes/simplify/merge_views.h"
#include "runtime/model/passes/simplify/remove_noops.h"
#include "runtime/model/passes/simplify/sink_transposes.h"
#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::transposes_test {
namespace {

using ir::Dims;
using ir::ValueId;

ValueId Turn(GraphBuilder* b, ValueId x, const std::vector<int64_t>& perm, const std::string& name) {
  Dims dims;
  for (const int64_t axis : perm) dims.push_back((*b->graph.value(x).dims)[static_cast<size_t>(axis)]);
  return b->Node("Transpose", {x}, name, dims, ir::DType::kFloat32, {{"perm", IntList(perm)}});
}

ValueId Shape(GraphBuilder* b, ValueId x, const Dims& dims, const std::string& name) {
  return b->Node("Reshape", {x, b->Ints(name + "_shape", {-1})}, name, dims);
}

std::string Nodes(const ir::Graph& graph) {
  const std::string body = Body(graph);
  return body.substr(0, body.find("output"));
}

TEST(SinkTransposesTest, MovesThroughWhatComputesElementByElement) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {2, 3, 4});
  const ValueId y = b.Input("y", {2, 1, 4});
  const ValueId half = b.Weight("half", {1}, AsBytes<float>({0.5}));
  const ValueId a = b.Node("Relu", {Turn(&b, x, {1, 2, 0}, "tx")}, "a", {3, 4, 2});
  const ValueId c = b.Node("Mul", {Turn(&b, y, {1, 2, 0}, "ty"), half}, "c", {1, 4, 2});
  b.Output(Turn(&b, b.Node("Add", {a, c}, "sum", {3, 4, 2}), {2, 0, 1}, "back"));
  EXPECT_TRUE(SinkTransposes(&b.graph));
  EXPECT_FALSE(SinkTransposes(&b.graph));
  RemoveNoops(&b.graph);
  RemoveDead(&b.graph);
  EXPECT_EQ(Body(b.graph),
            "%a: float32[2, 3, 4] = Relu(%x)\n"
            "%c: float32[2, 1, 4] = Mul(%y, %half)\n"
            "%sum: float32[2, 3, 4] = Add(%a, %c)\n"
            "output out0 = %sum\n");
}

TEST(SinkTransposesTest, StaysWhereItMayNotMove) {
  const auto changes = [](auto build) {
    GraphBuilder b;
    const ValueId x = b.Input("x", {2, 3});
    build(b, Turn(&b, x, {1, 0}, "t"));
    return SinkTransposes(&b.graph);
  };
  const auto turn_back = [](GraphBuilder& b, ValueId id) { b.Output(Turn(&b, id, {1, 0}, "back")); };
  EXPECT_TRUE(changes([&](GraphBuilder& b, ValueId t) { turn_back(b, b.Node("Relu", {t}, "y", {3, 2})); }));
  EXPECT_FALSE(changes([&](GraphBuilder& b, ValueId t) { turn_back(b, b.Node("Softmax", {t}, "y", {3, 2})); }));
  EXPECT_FALSE(changes([&](GraphBuilder& b, ValueId t) {  // a second use
    const ValueId y = b.Node("Relu", {t}, "y", {3, 2});
    b.Output(y);
    turn_back(b, y);
  }));
  EXPECT_FALSE(changes([&](GraphBuilder& b, ValueId t) {  // an operand in its own order
    turn_back(b, b.Node("Add", {t, b.Input("other", {3, 2})}, "y", {3, 2}));
  }));
  EXPECT_FALSE(changes([&](GraphBuilder& b, ValueId t) {  // a vector
    turn_back(b, b.Node("Add", {t, b.Weight("w", {2}, std::string(8, '\0'))}, "y", {3, 2}));
  }));
}

struct ViewCase {
  const char* what;
  Dims input;
  std::vector<Dims> steps;                  // shapes of Reshape; the next is turned when there is a perm for it
  std::vector<std::vector<int64_t>> perms;  // empty: a Reshape
  const char* result;                       // the last node; "": nothing changes
  int opset = 18;
};

void Check(const ViewCase& test) {
  SCOPED_TRACE(test.what);
  GraphBuilder b(test.opset);
  for (const char* symbol : {"n", "h"}) b.graph.ranges[symbol] = {.min = 1, .max = std::nullopt};
  ValueId at = b.Input("x", test.input);
  for (size_t i = 0; i < test.perms.size(); ++i) {
    const std::string name = "v" + std::to_string(i);
    at = test.perms[i].empty() ? Shape(&b, at, test.steps[i], name) : Turn(&b, at, test.perms[i], name);
  }
  b.Output(at);
  EXPECT_EQ(MergeViews(&b.graph), *test.result != 0);
  RemoveDead(&b.graph);
  const std::string nodes = Nodes(b.graph);
  if (*test.result != 0) {
    EXPECT_NE(nodes.find(test.result), std::string::npos) << nodes;
    EXPECT_FALSE(MergeViews(&b.graph));
  }
}

TEST(MergeViewsTest, FindsTheOneNode) {
  const ir::Dim n = Sym("n");
  const ir::Dim h = Sym("h");
  const Dims none;
  const ViewCase cases[] = {
      {"ones only", {1, 4, 1, 8}, {none}, {{0, 2, 1, 3}}, "= Reshape(%x, "},
      {"there and back", {2, 3, 4, 5}, {none, {2, 20, 3}, none}, {{0, 2, 3, 1}, {}, {0, 2, 1}}, "= Reshape(%x, "},
      {"there and back, free",
       {n, 3, h, 5},
       {none, {n, h * 5, 3}, none},
       {{0, 2, 3, 1}, {}, {0, 2, 1}},
       "= Reshape(%x, "},
      {"axes that stay together",
       {2, 12, 5},
       {{2, 3, 4, 5}, none, {2, 5, 12}},
       {{}, {0, 3, 1, 2}, {}},
       "= Transpose(%x, perm=[0, 2, 1])"},
      {"pixel_shuffle",
       {n, 12, h, 5},
       {{n, 3, 2, 2, h, 5}, none, {n, 3, h * 2, 10}},
       {{}, {0, 1, 4, 2, 5, 3}, {}},
       "= DepthToSpace(%x, blocksize=2, mode=\"CRD\")"},
      {"blocks first",
       {1, 4, 3, 5},
       {{1, 2, 2, 1, 3, 5}, none, {1, 1, 6, 10}},
       {{}, {0, 3, 4, 1, 5, 2}, {}},
       "= DepthToSpace(%x, blocksize=2)",
       9},
      {"blocks last, opset 9",
       {1, 8, 3, 5},
       {{1, 2, 2, 2, 3, 5}, none, {1, 2, 6, 10}},
       {{}, {0, 1, 4, 2, 5, 3}, {}},
       "",
       9},
      {"space to depth",
       {1, 2, 6, 10},
       {{1, 2, 3, 2, 5, 2}, none, {1, 8, 3, 5}},
       {{}, {0, 3, 5, 1, 2, 4}, {}},
       "= SpaceToDepth(%x, blocksize=2)"},
      {"pixel_unshuffle", {1, 2, 6, 10}, {{1, 2, 3, 2, 5, 2}, none, {1, 8, 3, 5}}, {{}, {0, 1, 3, 5, 2, 4}, {}}, ""},
      {"whole axes, divided and joined",
       {n, 3, 8},
       {{n, 3, 2, 4}, none, {n * 3, 8}},
       {{}, {1, 0, 2, 3}, {}},
       "= Transpose(%x, perm=[1, 0, 2])"},
      {"whole axes, one of them 1",
       {n, 1, h, 8},
       {{n, h, 2, 4}, none, {h, 1, n * 8}},
       {{}, {1, 0, 2, 3}, {}},
       "= Transpose(%x, perm=[2, 0, 3, 1])"},
      {"parts of an axis", {n, 3, 8}, {{n, 3, 2, 4}, none, {2, n * 3, 4}}, {{}, {2, 0, 1, 3}, {}}, ""},
      {"whole axes, nothing saved", {n, 3, 8}, {none, {3 * n, 8}}, {{1, 0, 2}, {}}, ""},
      {"one Transpose", {2, 3, 4}, {none}, {{0, 2, 1}}, ""},
      {"two Reshapes", {2, 3, 4}, {{6, 4}, {2, 12}}, {{}, {}}, ""},
      {"unknown", {ir::Dim(), 3}, {none, {3, n}}, {{1, 0}, {}}, ""},
      {"no elements", {0, 1, 3}, {none}, {{1, 0, 2}}, ""},
      {"heads", {2, 3, 8}, {{2, 3, 2, 4}, none}, {{}, {0, 2, 1, 3}}, ""},
  };
  for (const ViewCase& test : cases) Check(test);
}

TEST(MergeViewsTest, LeavesWhatIsUsedTwice) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {2, 12, 5});
  const ValueId turned = Turn(&b, Shape(&b, x, {2, 3, 4, 5}, "split"), {0, 3, 1, 2}, "turned");
  b.Output(turned);
  b.Output(Shape(&b, turned, {2, 5, 12}, "y"));
  EXPECT_FALSE(MergeViews(&b.graph));
}

TEST(MergeChainsTest, MatrixProductsTurnWhatIsComputed) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {2, 3});
  const ValueId w = b.Weight("w", {2, 3}, std::string(24, '\0'));
  b.Output(b.Node("MatMul", {x, Turn(&b, x, {1, 0}, "tx")}, "y", {2, 2}));
  b.Output(b.Node("MatMul", {x, Turn(&b, w, {1, 0}, "tw")}, "z", {2, 2}));
  EXPECT_TRUE(MergeChains(&b.graph));
  RemoveDead(&b.graph);
  EXPECT_EQ(Nodes(b.graph),
            "%y: float32[2, 2] = Gemm(%x, %x, transB=1)\n"
            "%tw: float32[3, 2] = Transpose(%w, perm=[1, 0])\n"
            "%z: float32[2, 2] = MatMul(%x, %tw)\n");
}

}  // namespace
}  // namespace onnxport::passes::transposes_test
