#include "runtime/model/passes/simplify/remove_noops.h"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "runtime/model/passes/graph/remove_dead.h"
#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::remove_noops_test {
namespace {

using ir::Dims;
using ir::DType;
using ir::ValueId;

struct NoopCase {
  const char* op;
  Dims from, to;
  std::vector<ir::Attribute> attributes;
  std::vector<int64_t> second;  // a second input of ints; empty: none
  bool removed;
};

TEST(RemoveNoopsTest, RemovesNodesThatGiveBackWhatTheyGot) {
  const Dims dynamic = {Sym("n"), 4};
  const Dims unknown = {ir::Dim(), 4};
  const NoopCase kCases[] = {
      {"Identity", unknown, unknown, {}, {}, true},
      {"Cast", unknown, unknown, {{"to", {DType::kFloat32}}}, {}, true},
      {"Cast", dynamic, dynamic, {{"to", {DType::kFloat16}}}, {}, false},
      {"Concat", dynamic, dynamic, {{"axis", {int64_t{0}}}}, {}, true},
      {"Concat", dynamic, dynamic, {{"axis", {int64_t{0}}}}, {1}, false},
      {"Dropout", dynamic, dynamic, {}, {}, true},
      {"Transpose", dynamic, dynamic, {{"perm", IntList({0, 1})}}, {}, true},
      {"Transpose", {4, 4}, {4, 4}, {{"perm", IntList({1, 0})}}, {}, false},
      {"Transpose", {4, 4}, {4, 4}, {}, {}, false},
      {"Transpose", {4}, {4}, {}, {}, true},
      {"Reshape", dynamic, dynamic, {}, {-1, 4}, true},
      {"Reshape", unknown, unknown, {}, {-1, 4}, false},
      {"Reshape", dynamic, {4, Sym("n")}, {}, {4, -1}, false},
      {"Expand", dynamic, dynamic, {}, {1, 4}, true},
      {"Expand", {1, 4}, {2, 4}, {}, {2, 4}, false},
      {"Tile", dynamic, dynamic, {}, {1, 1}, true},
      {"Relu", dynamic, dynamic, {}, {}, false},
  };
  for (const NoopCase& test : kCases) {
    GraphBuilder b;
    const ValueId x = b.Input("x", test.from);
    std::vector<ValueId> inputs = {x};
    if (!test.second.empty()) inputs.push_back(b.Ints("second", test.second));
    b.Output(b.Node(test.op, inputs, "y", test.to, DType::kFloat32, test.attributes));
    EXPECT_EQ(RemoveNoops(&b.graph), test.removed) << test.op << "\n" << ToText(b.graph);
    EXPECT_EQ(*b.graph.body.outputs[0].value() == x, test.removed);
    EXPECT_EQ(*b.graph.outputs[0].value.value(), *b.graph.body.outputs[0].value());
  }
}

TEST(RemoveNoopsTest, TellsASliceFromAFlip) {
  for (const int64_t step : {1, -1}) {
    GraphBuilder b;
    const ValueId x = b.Input("x", {4});
    const ValueId bounds = b.Ints("bounds", {0});
    const ValueId steps = b.Ints("steps", {step});
    b.graph.value(steps).contents = Dims{step};
    b.Output(b.Node("Slice", {x, bounds, bounds, bounds, steps}, "y", {4}));
    EXPECT_EQ(RemoveNoops(&b.graph), step == 1);
  }
}

TEST(RemoveNoopsTest, TwoNegationsAreNone) {
  for (const auto& [first, second, removed] : {std::tuple("Neg", "Neg", true),
                                               {"Not", "Not", true},
                                               {"BitwiseNot", "BitwiseNot", true},
                                               {"Neg", "Not", false},
                                               {"Abs", "Abs", false}}) {
    GraphBuilder b;
    const ValueId x = b.Input("x", {4});
    const ValueId y = b.Node(first, {x}, "y", {4});
    b.Output(b.Node(second, {y}, "z", {4}));
    EXPECT_EQ(RemoveNoops(&b.graph), removed) << first;
    EXPECT_EQ(*b.graph.body.outputs[0].value() == x, removed) << first;
  }
}

TEST(RemoveNoopsTest, KeepsADropoutWhoseMaskIsUsed) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {4});
  const ValueId y = b.Value("y", {4});
  const ValueId mask = b.Value("mask", {4}, DType::kBool);
  b.Append("Dropout", {x}, {y, mask});
  b.Output(y);
  b.Output(mask);
  EXPECT_FALSE(RemoveNoops(&b.graph));
}

TEST(RemoveNoopsTest, FindsTheShapeATensorHadBefore) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {Sym("n"), 4});
  const ValueId axes = b.Ints("axes", {0});
  const ValueId up = b.Node("Unsqueeze", {x, axes}, "up", {1, Sym("n"), 4});
  const ValueId flat = b.Node("Reshape", {up, b.Ints("flat_shape", {-1})}, "flat", {Sym("n") * 4});
  const ValueId back = b.Node("Reshape", {flat, b.Ints("shape", {-1, 4})}, "back", {Sym("n"), 4});
  b.Output(b.Node("Relu", {back}, "y", {Sym("n"), 4}));
  EXPECT_TRUE(RemoveNoops(&b.graph));
  RemoveDead(&b.graph);
  EXPECT_EQ(Body(b.graph), "%y: float32[n, 4] = Relu(%x)\noutput out0 = %y\n");
}

}  // namespace
}  // namespace onnxport::passes::remove_noops_test
