#include "runtime/model/passes/passes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/error.h"
#include "runtime/ir/location.h"
#include "runtime/model/passes/finish/lift_constants.h"
#include "runtime/model/passes/graph/remove_dead.h"
#include "runtime/model/passes/simplify/merge_duplicates.h"
#include "runtime/model/passes/simplify/remove_noops.h"
#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::passes_test {
namespace {

using ir::Dims;
using ir::DType;
using ir::ValueId;
constexpr DType kI64 = DType::kInt64;

// A reshape whose shape is computed by eight nodes, as lowering of `view` leaves it.
ir::Graph ViewGraph() {
  GraphBuilder b;
  const ir::Dim n = Sym("n");
  const ValueId x = b.Input("x", {n, 3, 4});
  const ValueId shape = b.Node("Shape", {x}, "shape", {3}, kI64);
  const ValueId size = b.Node("Gather", {shape, b.Scalar("zero", 0)}, "size", {}, kI64);
  b.graph.value(size).contents = Dims{n};
  const ValueId first = b.Node("Unsqueeze", {size, b.Ints("axes", {0})}, "first", {1}, kI64);
  b.graph.value(first).contents = Dims{n};
  const ValueId twelve = b.Node("Mul", {b.Ints("three", {3}), b.Ints("four", {4})}, "twelve", {1}, kI64);
  const ValueId all = b.Node("Concat", {first, twelve}, "all", {2}, kI64, {{"axis", {int64_t{0}}}});
  b.graph.value(all).contents = Dims{n, 12};
  b.Output(b.Node("Reshape", {x, all}, "y", {n, 12}));
  return b.graph;
}

// out0 = x < 0 ? Identity(Neg(x)) : Identity(x); a second result that nobody uses.
TEST(BlocksTest, BranchesKeepTheirOwn) {
  GraphBuilder b;
  const ir::ValueId x = b.Input("x", {2});
  const ir::ValueId c = b.Input("c", {}, ir::DType::kBool);
  const ir::ValueId outside = b.Node("Neg", {x}, "outside", {2});
  const size_t first = b.Size();
  const ir::ValueId again = b.Node("Neg", {x}, "again", {2});
  const ir::ValueId twice = b.Node("Abs", {again}, "twice", {2});
  const ir::ValueId y = b.Node("Identity", {twice}, "y", {2});
  const ir::ValueId dead = b.Node("Exp", {x}, "dead", {2});
  ir::Block then = b.TakeBlock(first, {}, {y, dead});
  const ir::ValueId inner = b.Node("Abs", {x}, "inner", {2});
  const ir::ValueId z = b.Node("Identity", {x}, "z", {2});
  ir::Block otherwise = b.TakeBlock(first, {}, {z, inner});
  const ir::ValueId result = b.Value("result", {2});
  b.Append("If", {c}, {result, b.Value("unused", {2})});
  b.AddBlocks({std::move(then), std::move(otherwise)});
  b.Output(b.Node("Add", {result, outside}, "sum", {2}));
  MergeDuplicates(&b.graph);
  RemoveNoops(&b.graph);
  RemoveDead(&b.graph);
  EXPECT_EQ(Body(b.graph),
            "%outside: float32[2] = Neg(%x)\n"
            "%result: float32[2] = If(%c)\n"
            "  block()\n"
            "    %twice: float32[2] = Abs(%outside)\n"
            "    %y: float32[2] = Identity(%twice)\n"
            "  yield %y\n"
            "  block()\n"
            "    %z: float32[2] = Identity(%x)\n"
            "  yield %z\n"
            "%sum: float32[2] = Add(%result, %outside)\n"
            "output out0 = %sum\n");
}

TEST(BlocksTest, SiblingsDoNotShare) {
  GraphBuilder b;
  const ir::ValueId x = b.Input("x", {2});
  const ir::ValueId c = b.Input("c", {}, ir::DType::kBool);
  const size_t first = b.Size();
  ir::Block then = b.TakeBlock(first, {}, {b.Node("Neg", {x}, "a", {2})});
  ir::Block otherwise = b.TakeBlock(first, {}, {b.Node("Abs", {b.Node("Neg", {x}, "b", {2})}, "d", {2})});
  const ir::ValueId result = b.Value("result", {2});
  b.Append("If", {c}, {result});
  b.AddBlocks({std::move(then), std::move(otherwise)});
  b.Output(b.Node("Neg", {x}, "after", {2}));
  b.Output(result);
  EXPECT_FALSE(MergeDuplicates(&b.graph));
}

// Carried values and scans that nobody uses go; constants move out, block outputs stay.
TEST(BlocksTest, LoopsLoseWhatNobodyUses) {
  GraphBuilder b;
  const ir::ValueId x = b.Input("x", {2});
  const ir::ValueId n = b.Input("n", {}, ir::DType::kInt64);
  const size_t first = b.Size();
  const ir::ValueId i = b.Value("i", {}, ir::DType::kInt64);
  const ir::ValueId go = b.Value("go", {}, ir::DType::kBool);
  const ir::ValueId sum = b.Value("sum", {2});
  const ir::ValueId idle = b.Value("idle", {2});
  const ir::ValueId more = b.Node("Identity", {go}, "more", {}, ir::DType::kBool);
  const ir::ValueId one = b.Scalar("one", 1);
  const ir::ValueId next = b.Node("Add", {sum, b.Node("Cast", {one}, "cast", {})}, "next", {2});
  const ir::ValueId next_idle = b.Node("Abs", {x}, "next_idle", {2});
  const ir::ValueId scan = b.Node("Exp", {sum}, "scan", {2});
  ir::Block body = b.TakeBlock(first, {i, go, sum, idle}, {more, next, next_idle, scan});
  const ir::ValueId total = b.Value("total", {2});
  b.Append("Loop", {n, ir::ValueId::kNone, x, x}, {total, b.Value("idle_out", {2}), b.Value("scans", {Sym("n"), 2})});
  b.AddBlocks({std::move(body)});
  b.Output(total);
  RemoveDead(&b.graph);
  LiftConstants(&b.graph);
  EXPECT_EQ(Body(b.graph),
            "%total: float32[2] = Loop(%n, None, %x)\n"
            "  block(%i: int64[], %go: bool[], %sum: float32[2])\n"
            "    %more: bool[] = Identity(%go)\n"
            "    %cast: float32[] = Cast(%one)\n"
            "    %next: float32[2] = Add(%sum, %cast)\n"
            "  yield %more, %next\n"
            "output out0 = %total\n");
  ASSERT_EQ(b.graph.weights.size(), 1u);
  // The Identity that makes a block's output stays, and is no work for another round.
  EXPECT_FALSE(RemoveNoops(&b.graph));
  EXPECT_EQ(passes::Run(&b.graph).remarks, std::vector<std::string>());
  const std::vector<ir::ValueId> inner = b.graph.body.nodes.back().blocks[0].inputs;
  EXPECT_EQ(b.graph.value(inner[0]).name, "/Loop_iteration");
  EXPECT_EQ(b.graph.value(inner[2]).name, "/Loop_carried_0");
}

TEST(PassesTest, RunTogether) {
  ir::Graph graph = ViewGraph();
  passes::Run(&graph);
  EXPECT_EQ(ToText(graph),
            "opset 18\n"
            "input x = %x: float32[n, 3, 4]\n"
            "weight constant = %constant: int64[2] {-1, 12}\n"
            "%out0: float32[n, 12] = Reshape(%x, %constant)\n"
            "output out0 = %out0\n");
}

TEST(PassesTest, CanBeSwitchedOff) {
  for (const std::string& name : PassNames()) {
    ir::Graph graph = ViewGraph();
    passes::Run(&graph, {.disabled = {name}});
    EXPECT_EQ(graph.body.nodes.back().op, "Reshape") << name;
  }
  ir::Graph graph = ViewGraph();
  const auto is_constant = [](const ir::Node& node) { return node.op == "Constant"; };
  const auto constants = static_cast<size_t>(std::ranges::count_if(graph.body.nodes, is_constant));
  const size_t nodes = graph.body.nodes.size();
  passes::Run(&graph, {.disabled = PassNames()});
  EXPECT_EQ(graph.body.nodes.size(), nodes - constants);  // these are initializers
  EXPECT_EQ(graph.weights.size(), constants);
}

// The nearest candidate has the line of the program.
TEST(PassesTest, SaysWhyNothingBecameAKeptOperator) {
  GraphBuilder b(28);
  const ValueId x = b.Input("x", {2, 4});
  const ValueId gate = b.Node("Mul", {x, b.Node("Sigmoid", {x}, "s", {2, 4})}, "g", {2, 4});
  b.Output(b.Node("Mul", {gate, b.Input("y", {4})}, "z", {2, 4}));
  b.graph.body.nodes.back().location = b.graph.AddLocation({.at = ir::MakeLine("model.py", 12)});
  Options options;
  options.kept = {"SwiGLU", "CausalConvWithState"};
  EXPECT_EQ(passes::Run(&b.graph, options).remarks,
            (std::vector<std::string>{
                "nothing became SwiGLU: the nearest is the Mul at model.py:12, but its two factors have two shapes",
                "nothing became CausalConvWithState: no part of the program matches that operator"}));
}

TEST(PassesTest, UnknownNamesAreRefused) {
  ir::Graph graph = ViewGraph();
  try {
    passes::Run(&graph, {.disabled = {"remove-everything"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_NE(std::string(error.what()).find("fold-constants"), std::string::npos);
  }
}

}  // namespace
}  // namespace onnxport::passes::passes_test
