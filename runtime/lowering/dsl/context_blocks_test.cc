// If and Loop as the bodies of specs write them.
#include <gtest/gtest.h>

#include "runtime/testing/emitted_graph.h"

namespace onnxport::lowering::context_blocks_test {
namespace {

TEST(IfOp, BranchesAndJoinedTypes) {
  TestGraph g(17);
  const Val x = g.Input("x", DType::kFloat32, {"n", "4"});
  const Val test = g.Input("test", DType::kBool, {"1"});
  const Vals results = g.context.if_op(
      test, [&] { return Vals{g.context.op("Relu", {x}), 1.0, x}; },
      [&] {
        return Vals{g.context.op("Concat", {x, x}, {{"axis", 0}}), g.context.op("ReduceMax", {x}, {{"keepdims", 0}}),
                    x};
      });
  EXPECT_EQ(g.Type(results[0]), "float32[?, 4]");
  EXPECT_EQ(g.Type(results[1]), "float32[]");
  EXPECT_EQ(g.Type(results[2]), "float32[n, 4]");
  // The condition has one element; what comes from outside is passed on by a node.
  EXPECT_EQ(g.Ops(), "Reshape If{Relu Identity Identity}{Concat ReduceMax Identity}");
}

TEST(IfOp, KnownConditionHasNoNode) {
  TestGraph g(17);
  const Val x = g.Input("x", DType::kFloat32, {"n"});
  const Val result = g.context.if_op(
      false, [&] { return Vals{g.context.op("Relu", {x})}; }, [&] { return Vals{g.context.op("Neg", {x})}; })[0];
  EXPECT_EQ(g.Ops(), "Neg");
  EXPECT_EQ(g.Type(result), "float32[n]");
}

TEST(IfOp, Refusals) {
  struct Case {
    int opset;
    Code code;
    const char* expected;
    std::function<Val(Context&, const Val&)> otherwise;
  };
  const Case cases[] = {
      {9, Code::kBranchesDiffer, "opset 9 needs equal shapes, opset 11 does not",
       [](Context& c, const Val& x) { return c.op("Concat", {x, x}, {{"axis", 0}}); }},
      {9, Code::kBranchesDiffer, "", [](Context& c, const Val& x) { return c.op("Neg", {x}); }},
      {17, Code::kBranchesDiffer, "the branches of an If give float32[n] and int64[n]",
       [](Context&, const Val& x) { return cast(x, DType::kInt64); }},
      {17, Code::kRefusedBySpec, "that ended",
       [](Context& c, const Val&) -> Val { return c.op("Identity", {Val(1.0)}), refuse("that ended"); }},
  };
  for (const Case& test : cases) {
    TestGraph g(test.opset);
    const Val x = g.Input("x", DType::kFloat32, {"n"});
    const Val yes = g.Input("yes", DType::kBool, {});
    const std::string seen = RefusalOf(test.code, [&] {
      g.context.if_op(
          yes, [&] { return Vals{g.context.op("Relu", {x})}; }, [&] { return Vals{test.otherwise(g.context, x)}; });
    });
    EXPECT_TRUE(*test.expected ? seen.find(test.expected) != std::string::npos : seen.empty()) << seen;
  }
}

TEST(Blocks, WhatIsMadeInsideStaysInside) {
  TestGraph g(17);
  const Val x = g.Input("x", DType::kFloat32, {"n", "m"});
  const Val yes = g.Input("yes", DType::kBool, {});
  Val inner;
  int computed = 0;
  Lazy lazy = g.context.lazy([&] {
    ++computed;
    return g.context.op("Relu", {x});
  });
  const auto branch = [&] {
    inner = dim(x, 0) * 2;
    return Vals{g.context.constant(inner, DType::kInt64), g.context.op("Add", {lazy(), lazy()})};
  };
  g.context.if_op(yes, branch, branch);
  EXPECT_EQ(computed, 2);
  EXPECT_EQ(g.Ops(), "If{Shape Gather Mul Relu Add}{Shape Gather Mul Relu Add}");
  // The size is read again outside; the value of the branch cannot be used.
  dim(x, 0);
  lazy();
  EXPECT_EQ(g.Ops(), "If{Shape Gather Mul Relu Add}{Shape Gather Mul Relu Add} Shape Gather Relu");
  const std::string seen = RefusalOf([&] { g.context.op("Neg", {inner}); });
  EXPECT_NE(seen.find("a branch or loop that has ended"), std::string::npos) << seen;
  // Constants are in the body of the graph, before the If.
  EXPECT_EQ(g.graph.body.nodes[0].op, "Constant");
}

TEST(LoopOp, CarriedAndScans) {
  TestGraph g(17);
  const Val x = g.Input("x", DType::kFloat32, {"n", "4"});
  const Val count = g.Input("count", DType::kInt64, {});
  const Vals results = g.context.loop(count, {x, 0.0}, {}, [&](const Val& i, const Vals& carried) -> Context::LoopStep {
    const Val next = g.context.op("Add", {carried[0], cast(i, DType::kFloat32)});
    return {{next, g.context.op("ReduceMax", {next}, {{"keepdims", 0}})}, {next, i}};
  });
  EXPECT_EQ(g.Type(results[0]), "float32[n, 4]");
  EXPECT_EQ(g.Type(results[1]), "float32[]");
  EXPECT_EQ(g.Type(results[2]), "float32[?, n, 4]");
  EXPECT_EQ(g.Type(results[3]), "int64[?]");
  EXPECT_EQ(g.Ops(), "Loop{Cast Add ReduceMax Identity Identity Identity}");
  const ir::Block& body = g.graph.body.nodes.back().blocks[0];
  EXPECT_EQ(body.inputs.size(), 4u);   // iteration, condition, two carried
  EXPECT_EQ(body.outputs.size(), 5u);  // condition, two carried, two scans
}

TEST(LoopOp, DoesNotCarryNone) {
  TestGraph g(17);
  const Val x = g.Input("x", DType::kFloat32, {"n", "4"});
  const Val count = g.Input("count", DType::kInt64, {});
  const auto round = [&](const Val& i, const Vals& carried) -> Context::LoopStep {
    EXPECT_TRUE(carried[0].is_none());
    return {{carried[0], g.context.op("Add", {carried[1], x})}, {i}};
  };
  const auto go_on = [&](const Vals& carried) {
    return g.context.op("Less", {g.context.op("ReduceMax", {carried[1]}, {{"keepdims", 0}}), 9.0});
  };
  for (const bool asks : {false, true}) {
    const Vals results =
        asks ? g.context.loop(count, {Val(), x}, go_on, round) : g.context.loop(count, {Val(), x}, {}, round);
    ASSERT_EQ(results.size(), 3u);
    EXPECT_TRUE(results[0].is_none());
    EXPECT_EQ(g.Type(results[1]), "float32[n, 4]");
    EXPECT_EQ(g.Type(results[2]), "int64[?]");
    EXPECT_EQ(g.graph.body.nodes.back().blocks[0].inputs.size(), 3u);  // iteration, condition, one carried
  }
  EXPECT_EQ(RefusalOf(Code::kLoopDoesNotFit,
                      [&] {
                        g.context.loop(count, {Val(), x}, {},
                                       [&](const Val&, const Vals&) -> Context::LoopStep { return {{x, x}, {}}; });
                      }),
            "a loop carries None, which its body makes float32[n, 4]");
}

// Before opset 16 their schemas have no bfloat16.
TEST(Blocks, TakeTheDTypesOfTheirOperator) {
  for (const int opset : {13, 16}) {
    TestGraph g(opset);
    const Val x = g.Input("x", DType::kBFloat16, {"n"});
    const Val count = g.Input("count", DType::kInt64, {});
    const Val yes = g.Input("yes", DType::kBool, {});
    const auto same = [&] { return Vals{x}; };
    const std::string of_if = RefusalOf(Code::kDTypeIsNotTaken, [&] { g.context.if_op(yes, same, same); });
    const std::string of_loop = RefusalOf([&] {
      g.context.loop(count, {x}, {},
                     [&](const Val&, const Vals& carried) -> Context::LoopStep { return {carried, {}}; });
    });
    EXPECT_EQ(of_if.substr(0, of_if.find(';')), opset < 16 ? "ONNX If of opset 13 does not give bfloat16" : "");
    EXPECT_EQ(of_loop.substr(0, of_loop.find(';')), opset < 16 ? "ONNX Loop of opset 13 does not give bfloat16" : "");
  }
}

TEST(LoopOp, FewRoundsAreInLine) {
  struct Case {
    int64_t rounds;
    const char* ops;
  };
  const Case cases[] = {
      {2, "Add Unsqueeze Add Unsqueeze Concat"},
      {9, "Loop{Add Identity Identity}"},
      {0, "Loop{Add Identity Identity}"},
  };
  for (const Case& test : cases) {
    TestGraph g(17);
    const Val x = g.Input("x", DType::kFloat32, {"n", "4"});
    const Vals results = g.context.loop(
        test.rounds, {x}, [](const Vals&) { return Val(true); },
        [&](const Val&, const Vals& carried) -> Context::LoopStep {
          const Val next = g.context.op("Add", {carried[0], x});
          return {{next}, {next}};
        });
    EXPECT_EQ(g.Ops(), test.ops) << test.rounds;
    EXPECT_EQ(g.Type(results[0]), "float32[n, 4]");
    EXPECT_EQ(g.Type(results[1]), "float32[" + std::to_string(test.rounds) + ", n, 4]");
  }
}

TEST(LoopOp, SizesThatChange) {
  TestGraph g(17);
  const Val x = g.Input("x", DType::kFloat32, {"n", "4"});
  const auto go_on = [&](const Vals& carried) { return g.context.op("Less", {dim(carried[0], 0), 100}); };
  const Vals results = g.context.loop(Val(), {x}, go_on, [&](const Val&, const Vals& carried) -> Context::LoopStep {
    return {{g.context.op("Concat", {carried[0], carried[0]}, {{"axis", 0}})}, {}};
  });
  EXPECT_EQ(g.Type(results[0]), "float32[?, 4]");
  EXPECT_EQ(g.Ops(), "Shape Gather Less Loop{Concat Shape Gather Less}");
  EXPECT_EQ(RefusalOf([&] {
              g.context.loop(3, {x}, {}, [&](const Val&, const Vals& carried) -> Context::LoopStep {
                return {{g.context.op("Unsqueeze", {carried[0], Vals{0}})}, {}};
              });
            }),
            "a loop carries float32[n, 4], which its body makes float32[1, n, 4]");
}

TEST(Sequences, PlacementAndMap) {
  TestGraph g(17);
  const Val x = g.Input("x", DType::kFloat32, {"n", "4"});
  const Val list = g.context.op("SplitToSequence", {x}, {{"axis", 0}, {"keepdims", 0}});
  EXPECT_TRUE(is_sequence(list));
  EXPECT_FALSE(is_sequence(x));
  EXPECT_FALSE(is_sequence(Vals{x}));
  EXPECT_EQ(g.Type(list), "a list of unknown length of float32[4]");
  EXPECT_EQ(g.Type(g.context.op("SequenceAt", {Vals{x, x}, -1})), "float32[n, 4]");
  EXPECT_EQ(g.Type(g.context.op("SequenceLength", {list})), "int64[]");
  const Val empty = g.context.op("SequenceEmpty", {}, {{"dtype", DType::kFloat32}});
  EXPECT_EQ(g.Type(g.context.op("SequenceInsert", {empty, x})), "a list of unknown length of float32[n, 4]");
  EXPECT_EQ(g.Type(g.context.op("ConcatFromSequence", {list}, {{"axis", 0}, {"new_axis", 1}})), "float32[?, 4]");
  EXPECT_EQ(g.context.map(Vals{1, 2}, [](const Val& v) { return v + 1; }).ToString(), "[2, 3]");
  const Val mapped = g.context.map(list, [&](const Val& v) { return g.context.op("Neg", {v}); });
  EXPECT_TRUE(is_sequence(mapped));
  EXPECT_EQ(RefusalOf([&] { rank(list); }), "a list of unknown length of float32[4] where a tensor is needed");
  EXPECT_NE(RefusalOf([&] { g.context.op("Relu", {list}); }).find("takes no list of float32 tensors"),
            std::string::npos);
}

}  // namespace
}  // namespace onnxport::lowering::context_blocks_test
