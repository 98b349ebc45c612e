#include "runtime/model/passes/passes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "runtime/base/error.h"
#include "runtime/ir/location.h"
#include "runtime/ir/read_node.h"
#include "runtime/lowering/types/node_schema.h"
#include "runtime/model/passes/fold_constants.h"
#include "runtime/model/passes/keep_empty.h"
#include "runtime/model/passes/keep_padding.h"
#include "runtime/model/passes/lift_constants.h"
#include "runtime/model/passes/merge_chains.h"
#include "runtime/model/passes/merge_duplicates.h"
#include "runtime/model/passes/order_nodes.h"
#include "runtime/model/passes/rearrange_weights.h"
#include "runtime/model/passes/remove_dead.h"
#include "runtime/model/passes/remove_noops.h"
#include "runtime/model/passes/repeat_constants.h"
#include "runtime/model/passes/rewrite.h"
#include "runtime/model/passes/separate_outputs.h"
#include "runtime/model/passes/simplify_shapes.h"
#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::passes_test {
namespace {

using ir::Dims;
using ir::DType;
using ir::ValueId;
constexpr DType kI64 = DType::kInt64;

// Two calls: (a + b) * (a - b) as C++ may emit it, and one that uses its second result first.
TEST(OrderNodesTest, InputsComeInTheirOrder) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {2});
  const ir::LocationId first = b.graph.AddLocation({.at = ir::MakeLine("", 1)});
  const ir::LocationId second = b.graph.AddLocation({.at = ir::MakeLine("", 2)});
  const ValueId right = b.Node("Sub", {x, x}, "right", {2});
  const ValueId inner = b.Node("Neg", {x}, "inner", {2});
  const ValueId left = b.Node("Add", {x, inner}, "left", {2});
  const ValueId product = b.Node("Mul", {left, right}, "product", {2});
  for (ir::Node& node : b.graph.body.nodes) node.location = first;
  const ValueId late = b.Node("Exp", {product}, "late", {2});
  const ValueId early = b.Node("Log", {product}, "early", {2});
  b.Node("Abs", {product}, "dead", {2});
  b.graph.body.nodes[4].location = b.graph.body.nodes[5].location = b.graph.body.nodes[6].location = second;
  b.Output(b.Node("Div", {early, late}, "quotient", {2}));
  OrderNodes(&b.graph);
  EXPECT_EQ(Body(b.graph),
            "%inner: float32[2] = Neg(%x)\n"
            "%left: float32[2] = Add(%x, %inner)\n"
            "%right: float32[2] = Sub(%x, %x)\n"
            "%product: float32[2] = Mul(%left, %right)\n"
            "%early: float32[2] = Log(%product)\n"
            "%late: float32[2] = Exp(%product)\n"
            "%dead: float32[2] = Abs(%product)\n"
            "%quotient: float32[2] = Div(%early, %late)\n"
            "output out0 = %quotient\n");
  // Numbers follow.
  EXPECT_EQ(b.graph.value(ValueId{1}).name, "inner");
  EXPECT_EQ(b.graph.value(ValueId{3}).name, "right");
}

TEST(FoldConstantsTest, FoldsChainsOfKnownIntegers) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {2, 3, Sym("n")});
  const ValueId w = b.Weight("offset", {}, std::string("\5\0\0\0\0\0\0\0", 8), kI64);
  const ValueId sum = b.Node("Add", {b.Scalar("two", 2), w}, "sum", {}, kI64);
  b.Output(b.Node("Mul", {sum, sum}, "square", {}, kI64));
  b.Output(b.Node("Shape", {x}, "shape", {3}, kI64));
  EXPECT_TRUE(FoldConstants(&b.graph));
  EXPECT_TRUE(RemoveDead(&b.graph));
  EXPECT_EQ(Body(b.graph),
            "%square: int64[] {49} = Constant(value=int64[]{49})\n"
            "%shape: int64[3] = Shape(%x)\n"
            "output out0 = %square\n"
            "output out1 = %shape\n");
  EXPECT_TRUE(b.graph.weights.empty());
  EXPECT_FALSE(FoldConstants(&b.graph));
}

TEST(FoldConstantsTest, BelievesSymbolicContents) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {2, Sym("n")});
  const ValueId y = b.Node("Slice", {b.Node("Shape", {x}, "shape", {2}, kI64)}, "y", {1}, kI64);
  b.graph.value(y).contents = Dims{2};
  b.Output(y);
  EXPECT_TRUE(FoldConstants(&b.graph));
  EXPECT_EQ(b.graph.body.nodes.back().op, "Constant");
}

TEST(FoldConstantsTest, FoldsFloatsOfConstantsOnly) {
  for (const bool constant : {true, false}) {
    GraphBuilder b;
    const ValueId one = b.Weight("one", {}, std::string("\0\0\x80\x3f", 4));
    b.graph.weights.back().constant = constant;
    b.Output(b.Node("Add", {one, one}, "y", {}));
    EXPECT_EQ(FoldConstants(&b.graph), constant);
    EXPECT_EQ(b.graph.body.nodes.back().op, constant ? "Constant" : "Add");
  }
}

TEST(FoldConstantsTest, KeepsLargeResultsOfOneNumberComputed) {
  GraphBuilder b;
  const ValueId ones = b.Node("Expand", {b.Scalar("one", 1), b.Ints("shape", {64, 64})}, "ones", {64, 64}, kI64);
  b.Output(ones);
  b.Output(b.Node("Trilu", {ones}, "mask", {64, 64}, kI64));
  EXPECT_TRUE(FoldConstants(&b.graph));
  EXPECT_EQ(b.graph.body.nodes[2].op, "Expand");
  EXPECT_EQ(b.graph.body.nodes[3].op, "Constant");
}

TEST(FoldConstantsTest, FoldsFewLargeResults) {
  GraphBuilder b;
  const ValueId range =
      b.Node("Range", {b.Scalar("start", 0), b.Scalar("end", 16000), b.Scalar("step", 1)}, "range", {16000}, kI64);
  for (int i = 0; i < 100; ++i) b.Output(b.Node("Add", {range, b.Scalar("n", i)}, "y", {16000}, kI64));
  EXPECT_TRUE(FoldConstants(&b.graph));
  const auto added = std::ranges::count(b.graph.body.nodes, "Add", &ir::Node::op);
  EXPECT_GT(added, 50);
  EXPECT_LT(added, 90);
}

TEST(FoldConstantsTest, FoldsOnAfterAResultThatIsTooLarge) {
  GraphBuilder b;
  const ValueId start = b.Scalar("start", 0);
  const ValueId step = b.Scalar("step", 1);
  const auto range = [&](int64_t count) {
    b.Output(b.Node("Range", {start, b.Scalar("end", count), step}, "y", {count}, kI64));
  };
  for (int i = 0; i < 31; ++i) range(16384);
  // 16,384 elements more may be kept: of each pair the second is too large beside the first.
  for (const int64_t count : {10'000, 10'000, 5'000, 5'000, 10}) range(count);
  EXPECT_TRUE(FoldConstants(&b.graph));
  std::vector<int64_t> computed;
  for (const ir::Node& node : b.graph.body.nodes) {
    if (node.op == "Range") computed.push_back(b.graph.value(node.outputs[0]).dims->front().number());
  }
  EXPECT_EQ(computed, (std::vector<int64_t>{10'000, 5'000}));
  EXPECT_EQ(b.graph.body.nodes.back().op, "Constant");
}

TEST(FoldConstantsTest, LeavesLargeBuffersTheirName) {
  GraphBuilder b;
  const ValueId mask = b.Weight("mask", {40, 40}, std::string(1600, '\1'), DType::kBool);
  b.Output(b.Node("Not", {mask}, "y", {40, 40}, DType::kBool));
  EXPECT_FALSE(FoldConstants(&b.graph));
}

TEST(FoldConstantsTest, SkipsNeutralOperands) {
  GraphBuilder b;
  const ValueId n = b.Input("n", {Sym("n")}, kI64);
  const ValueId zero = b.Scalar("zero", 0);
  const ValueId one = b.Scalar("one", 1);
  const ValueId square = b.Constant("square", {kI64, {1, 1}, {0}});
  b.Output(b.Node("Add", {zero, n}, "a", {Sym("n")}, kI64));
  b.Output(b.Node("Div", {n, one}, "b", {Sym("n")}, kI64));
  b.Output(b.Node("Sub", {zero, n}, "c", {Sym("n")}, kI64));
  b.Output(b.Node("Add", {n, square}, "d", {1, Sym("n")}, kI64));
  b.Output(b.Node("Mul", {n, zero}, "e", {Sym("n")}, kI64));
  EXPECT_TRUE(FoldConstants(&b.graph));
  RemoveDead(&b.graph);
  EXPECT_EQ(Body(b.graph).substr(Body(b.graph).find("output")),
            "output out0 = %n\noutput out1 = %n\noutput out2 = %c\noutput out3 = %d\noutput out4 = %e\n");
}

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

TEST(MergeChainsTest, MergesTransposes) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {2, 3, 4});
  const ValueId a = b.Node("Transpose", {x}, "a", {3, 4, 2}, DType::kFloat32, {{"perm", IntList({1, 2, 0})}});
  b.Output(b.Node("Transpose", {a}, "y", {3, 2, 4}, DType::kFloat32, {{"perm", IntList({0, 2, 1})}}));
  EXPECT_TRUE(MergeChains(&b.graph));
  RemoveDead(&b.graph);
  EXPECT_EQ(Body(b.graph), "%y: float32[3, 2, 4] = Transpose(%x, perm=[1, 0, 2])\noutput out0 = %y\n");
}

struct ShapeCase {
  const char* op;
  Dims input;
  Dims wanted;
  const char* shape;  // the constant; empty: the node stays
};

TEST(SimplifyShapesTest, SaysWithConstantsWhatTheModelWouldCompute) {
  const ir::Dim n = Sym("n");
  const ir::Dim m = Sym("m");
  const ir::Dim z = Sym("z");  // may be 0
  const ShapeCase kCases[] = {
      {"Reshape", {n, 12}, {n, 3, 4}, "{-1, 3, 4}"},
      {"Reshape", {z, 12}, {z, 3, 4}, "{-1, 3, 4}"},
      {"Reshape", {n, m, 12}, {n, m, 3, 4}, "{0, 0, 3, 4}"},
      {"Reshape", {n, z, 12}, {n, z, 3, 4}, "{0, 0, 3, 4}"},
      {"Reshape", {n, 4, m}, {n, m * 4}, "{0, -1}"},
      {"Reshape", {z, 4, m}, {z, m * 4}, ""},
      {"Reshape", {n, m}, {m, n}, ""},
      {"Reshape", {n, 4}, {ir::Dim(), 2}, "{-1, 2}"},
      {"Reshape", {n, 0}, {n, 0, 5}, ""},
      {"Reshape", {2, 6}, {3, 4}, ""},
      {"Expand", {n, 1, m}, {n, 4, m}, "{1, 4, 1}"},
      {"Expand", {1, m}, {n, 1, m}, ""},
      {"Expand", {m}, {5, m}, "{5, 1}"},
  };
  for (const ShapeCase& test : kCases) {
    GraphBuilder b;
    b.graph.ranges = {{"n", {1, {}}}, {"m", {1, {}}}, {"z", {0, {}}}};
    const ValueId x = b.Input("x", test.input);
    const ValueId shape = b.Input("shape", {static_cast<int64_t>(test.wanted.size())}, kI64);
    b.graph.value(shape).contents = test.wanted;
    b.Output(b.Node(test.op, {x, shape}, "y", test.wanted));
    const bool changed = SimplifyShapes(&b.graph);
    EXPECT_EQ(changed, *test.shape != 0) << ToText(b.graph);
    if (changed) {
      EXPECT_NE(Body(b.graph).find(std::string("]") + test.shape), std::string::npos) << Body(b.graph);
    }
  }
}

TEST(MergeDuplicatesTest, ComputesOnce) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {4});
  const ValueId a = b.Node("Add", {x, b.Ints("c1", {1})}, "a", {4});
  const ValueId d = b.Node("Add", {x, b.Ints("c2", {1})}, "d", {4});
  const ValueId e = b.Node("Add", {x, b.Ints("c3", {1}, DType::kInt32)}, "e", {4});
  b.Output(b.Node("Concat", {a, d, e}, "y", {12}, DType::kFloat32, {{"axis", {int64_t{0}}}}));
  EXPECT_TRUE(MergeDuplicates(&b.graph));
  RemoveDead(&b.graph);
  EXPECT_EQ(Body(b.graph),
            "%c1: int64[1] = Constant(value=int64[1]{1})\n"
            "%a: float32[4] = Add(%x, %c1)\n"
            "%c3: int32[1] = Constant(value=int32[1]{1})\n"
            "%e: float32[4] = Add(%x, %c3)\n"
            "%y: float32[12] = Concat(%a, %a, %e, axis=0)\n"
            "output out0 = %y\n");
}

TEST(MergeDuplicatesTest, KeepsWhatDiffers) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {4});
  const auto attribute = [](double value) { return std::vector<ir::Attribute>{{"alpha", {value}}}; };
  b.Output(b.Node("Elu", {x}, "a", {4}, DType::kFloat32, attribute(0.0)));
  b.Output(b.Node("Elu", {x}, "b", {4}, DType::kFloat32, attribute(-0.0)));
  b.Output(b.Node("RandomNormalLike", {x}, "c", {4}));
  b.Output(b.Node("RandomNormalLike", {x}, "d", {4}));
  EXPECT_FALSE(MergeDuplicates(&b.graph));
}

TEST(MergeDuplicatesTest, NodesOfOtherDomainsMergeWhereTheirSchemaSaysSo) {
  lowering::NodeSchema pure;
  pure.name = "acme.Pure";
  pure.pure = true;
  lowering::NodeSchema draws;
  draws.name = "acme.Draws";
  lowering::NodeSchemaTables::Add({"//test", {pure, draws}});
  for (const auto& [op, merges] : {std::pair("acme.Pure", true), {"acme.Draws", false}, {"acme.Unknown", false}}) {
    GraphBuilder b;
    const ValueId x = b.Input("x", {4});
    b.Output(b.Node(op, {x}, "a", {4}));
    b.Output(b.Node(op, {x}, "b", {4}));
    EXPECT_EQ(MergeDuplicates(&b.graph), merges) << op;
  }
}

TEST(MergeDuplicatesTest, MergesTiedWeightsOnly) {
  GraphBuilder b;
  const ValueId first = b.Weight("first", {1}, "abcd");
  const ValueId equal = b.Weight("equal", {1}, "abcd");
  const ValueId tied = b.Value("tied", {1});
  b.graph.weights.push_back({tied, "tied", b.graph.weights[0].data});
  b.Output(b.Node("Sum", {first, equal, tied}, "y", {1}));
  EXPECT_TRUE(MergeDuplicates(&b.graph));
  RemoveDead(&b.graph);
  EXPECT_EQ(Body(b.graph), "%y: float32[1] = Sum(%first, %equal, %first)\noutput out0 = %y\n");
  EXPECT_EQ(b.graph.weights.size(), 2u);
}

TEST(RemoveDeadTest, KeepsInputs) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {4});
  b.Input("unused", {4});
  const ValueId w = b.Weight("w", {1}, "abcd");
  b.Node("Add", {b.Node("Relu", {x}, "a", {4}), w}, "b", {4});
  b.Output(b.Node("Neg", {x}, "y", {4}));
  EXPECT_TRUE(RemoveDead(&b.graph));
  EXPECT_EQ(Body(b.graph), "%y: float32[4] = Neg(%x)\noutput out0 = %y\n");
  EXPECT_EQ(b.graph.inputs.size(), 2u);
  EXPECT_TRUE(b.graph.weights.empty());
  EXPECT_FALSE(RemoveDead(&b.graph));
}

TEST(MergeChainsTest, GemmTakesTransposedMatrices) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {2, 3});
  const ValueId w = b.Input("w", {4, 3});
  const ValueId xt = b.Node("Transpose", {x}, "xt", {3, 2}, DType::kFloat32, {{"perm", IntList({1, 0})}});
  const ValueId wt = b.Node("Transpose", {w}, "wt", {3, 4}, DType::kFloat32, {{"perm", IntList({1, 0})}});
  b.Output(b.Node("Gemm", {xt, wt}, "y", {2, 4}, DType::kFloat32, {{"transA", {int64_t{1}}}}));
  EXPECT_TRUE(MergeChains(&b.graph));
  EXPECT_TRUE(RemoveDead(&b.graph));
  EXPECT_EQ(Body(b.graph), "%y: float32[2, 4] = Gemm(%x, %w, transA=0, transB=1)\noutput out0 = %y\n");
  EXPECT_FALSE(MergeChains(&b.graph));
}

// The weights as `name[shape] bytes`.
std::string Weights(const ir::Graph& graph) {
  std::string text;
  for (const ir::Weight& weight : graph.weights) {
    text += weight.name + "[";
    for (const int64_t size : weight.data->shape) text += std::to_string(size) + ",";
    text += "] ";
    weight.data->bytes->Stream([&](std::span<const std::byte> block) {
      for (const std::byte byte : block) text += static_cast<char>(byte);
    });
    text += "\n";
  }
  return text;
}

constexpr DType kU8 = DType::kUInt8;

// The gates of both directions, reordered, and the biases side by side.
TEST(RearrangeWeightsTest, DoesWhatOnlyMovesBytes) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {2});
  const ValueId w = b.Weight("w", {2, 2}, "abcd", kU8);
  const ValueId v = b.Weight("v", {2, 2}, "efgh", kU8);
  const ValueId zero = b.Ints("zero", {0});
  const ValueId one = b.Ints("one", {1});
  const ValueId first = b.Node("Slice", {w, zero, one, zero}, "first", {1, 2}, kU8);
  const ValueId second =
      b.Node("Slice", {w, one, b.Ints("end", {9}), b.Ints("axis", {-2}), one}, "second", {1, 2}, kU8);
  const ValueId swapped = b.Node("Concat", {second, first}, "swapped", {2, 2}, kU8, {{"axis", {int64_t{0}}}});
  const ValueId wide = b.Node("Concat", {swapped, v}, "wide", {2, 4}, kU8, {{"axis", {int64_t{1}}}});
  const ValueId deep = b.Node("Unsqueeze", {wide, zero}, "deep", {1, 2, 4}, kU8);
  b.Output(b.Node("F", {x, deep}, "y", {2}));
  EXPECT_TRUE(RearrangeWeights(&b.graph));
  EXPECT_EQ(Weights(b.graph), "w+v[1,2,4,] cdefabgh\n");
  EXPECT_EQ(Body(b.graph), "%y: float32[2] = F(%x, %deep)\noutput out0 = %y\n");
  EXPECT_FALSE(RearrangeWeights(&b.graph));
}

TEST(RearrangeWeightsTest, FollowsAllThatOnlyReshapes) {
  for (const char* op : {"Flatten", "Reshape", "Squeeze", "Unsqueeze"}) {
    GraphBuilder b;
    const ValueId w = b.Weight("w", {2, 1, 2}, "abcd", kU8);
    b.Output(b.Node("F", {b.Node(op, {w}, "flat", {2, 2}, kU8)}, "y", {2}));
    EXPECT_TRUE(RearrangeWeights(&b.graph)) << op;
    EXPECT_EQ(Weights(b.graph), "w[2,2,] abcd\n") << op;
  }
}

TEST(RearrangeWeightsTest, LeavesWhatOthersNeedOrWouldBeWrittenTwice) {
  for (const bool used_whole : {true, false}) {
    GraphBuilder b;
    const ValueId w = b.Weight("w", {2, 2}, "abcd", kU8);
    const ValueId zero = b.Ints("zero", {0});
    const ValueId deep = b.Node("Unsqueeze", {w, zero}, "deep", {1, 2, 2}, kU8);
    const ValueId other = used_whole ? w : b.Node("Unsqueeze", {w, b.Ints("two", {2})}, "flat", {2, 2, 1}, kU8);
    b.Output(b.Node("F", {deep, other}, "y", {2}));
    EXPECT_FALSE(RearrangeWeights(&b.graph)) << used_whole;
    EXPECT_EQ(Weights(b.graph), "w[2,2,] abcd\n");
  }
}

TEST(RearrangeWeightsTest, OutputsOfBlocksAndSlicesWithStepsStay) {
  GraphBuilder b;
  const ValueId w = b.Weight("w", {4}, "abcd", kU8);
  const ValueId zero = b.Ints("zero", {0});
  const ValueId step = b.Node("Slice", {w, zero, b.Ints("end", {4}), zero, b.Ints("two", {2})}, "step", {2}, kU8);
  b.Output(b.Node("F", {step}, "y", {2}));
  EXPECT_FALSE(RearrangeWeights(&b.graph));
  GraphBuilder c;
  const ValueId flag = c.Input("flag", {}, DType::kBool);
  const ValueId v = c.Weight("v", {4}, "abcd", kU8);
  const ValueId axis = c.Ints("axis", {0});
  const size_t start = c.Size();
  const ValueId deep = c.Node("Unsqueeze", {v, axis}, "deep", {1, 4}, kU8);
  ir::Block then = c.TakeBlock(start, {}, {deep});
  const ValueId same = c.Node("Unsqueeze", {v, axis}, "same", {1, 4}, kU8);
  ir::Block otherwise = c.TakeBlock(start, {}, {same});
  c.Output(c.Node("If", {flag}, "z", {1, 4}, kU8));
  c.AddBlocks({std::move(then), std::move(otherwise)});
  EXPECT_FALSE(RearrangeWeights(&c.graph));
}

TEST(LiftConstantsTest, MakesInitializersWhereConstantIsOfFloatsOrInitializersAreNoInputs) {
  struct Row {
    int opset;
    ir::DType dtype;
    bool lifted;
  };
  for (const auto& [opset, dtype, lifted] : {Row{8, ir::DType::kFloat32, false}, {8, kI64, true}, {9, kI64, true}}) {
    GraphBuilder b(opset);
    const ValueId c = b.Value("c", {1}, dtype);
    b.Append("Constant", {}, {c}, {{"value", {ir::MakeTensor(dtype, {1}, "abcdabcd")}}});
    b.Output(b.Node("Add", {b.Input("x", {4}, dtype), c}, "y", {4}, dtype));
    EXPECT_EQ(LiftConstants(&b.graph), lifted) << opset;
    EXPECT_EQ(b.graph.weights.size(), lifted ? 1U : 0U) << opset;
    EXPECT_EQ(b.graph.body.nodes.size(), lifted ? 1U : 2U) << opset;
  }
}

TEST(SeparateOutputsTest, GivesEachOutputAValue) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {4});
  const ValueId y = b.Node("Relu", {x}, "y", {4});
  b.Output(y);
  b.Output(x);
  b.Output(y);
  b.Output(b.Weight("w", {1}, "abcd"));
  EXPECT_TRUE(SeparateOutputs(&b.graph));
  EXPECT_EQ(b.graph.body.nodes.size(), 4u);
  EXPECT_EQ(*b.graph.body.outputs[0].value(), y);
  EXPECT_FALSE(SeparateOutputs(&b.graph));
}

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

// In a block the shape is a constant of its own; the number that is no shape, and what is outside, stay.
TEST(RepeatConstantsTest, GoIntoTheBlocksThatReadThem) {
  for (const int opset : {8, 18}) {
    GraphBuilder b(opset);
    const ir::ValueId x = b.Input("x", {2});
    const ir::ValueId c = b.Input("c", {}, ir::DType::kBool);
    const ir::ValueId shape = b.Ints("shape", {1, 2});
    const ir::ValueId outside = b.Ints("outside", {2, 1});
    LiftConstants(&b.graph);
    const ir::ValueId outer = b.Node("Reshape", {x, outside}, "outer", {2, 1});
    const size_t first = b.Size();
    const ir::ValueId once = b.Node("Reshape", {x, shape}, "once", {1, 2});
    ir::Block then = b.TakeBlock(first, {}, {b.Node("Reshape", {once, shape}, "a", {1, 2})});
    ir::Block otherwise = b.TakeBlock(first, {}, {b.Node("Gather", {outside, x}, "d", {1, 2})});
    const ir::ValueId result = b.Value("result", {1, 2});
    b.Append("If", {c}, {result});
    b.AddBlocks({std::move(then), std::move(otherwise)});
    b.Output(result);
    b.Output(outer);
    EXPECT_EQ(RepeatConstants(&b.graph), opset == 18);
    const auto& blocks = b.graph.body.nodes[1].blocks;
    EXPECT_EQ(blocks[1].nodes.size(), 1U);
    EXPECT_EQ(b.graph.weights.size(), opset == 18 ? 1U : 2U);
    ASSERT_EQ(blocks[0].nodes.size(), opset == 18 ? 3U : 2U);
    if (opset == 8) continue;
    EXPECT_EQ(blocks[0].nodes[0].op, "Constant");
    for (const size_t reader : {1, 2}) EXPECT_EQ(InputAt(blocks[0].nodes[reader], 1), blocks[0].nodes[0].outputs[0]);
  }
}

// What runs them is checked in tests/script/free_sizes.py.
TEST(KeepEmptyTest, OfExpandsThatGrowNothing) {
  const auto text = [](ir::Dims dims, const std::vector<int64_t>& shape, ir::Dims result, int opset = 13) {
    GraphBuilder b(opset);
    const ir::ValueId x = b.Input("x", std::move(dims));
    const ir::ValueId wanted = b.Ints("shape", shape);
    b.graph.value(wanted).contents.emplace(shape.begin(), shape.end());
    b.Output(b.Node("Expand", {x, wanted}, "y", std::move(result)));
    const bool changed = KeepEmpty(&b.graph);
    const ir::Node& node = b.graph.body.nodes.back();
    EXPECT_EQ(changed, node.op == "Slice");
    if (changed) EXPECT_EQ(node.inputs.size(), opset < 10 ? 1U : 4U);
    return changed;
  };
  const ir::Dim n = ir::Dim::Symbol("n");
  EXPECT_TRUE(text({2, 1}, {0}, {2, 0}));
  EXPECT_TRUE(text({2, 1}, {0}, {2, 0}, 9));
  EXPECT_TRUE(text({2, 1}, {2, 0}, {2, 0}));
  EXPECT_TRUE(text({n, 1}, {1, 0}, {n, 0}));
  EXPECT_TRUE(text({1, n, 1}, {0, 1, 0}, {0, n, 0}));
  EXPECT_FALSE(text({1, 1}, {3, 0}, {3, 0}));
  EXPECT_FALSE(text({n, 1}, {3, 0}, {3, 0}));
  EXPECT_FALSE(text({1}, {1, 0}, {1, 0}));
  EXPECT_FALSE(text({2, 1}, {1}, {2, 1}));
}

// What runs them is checked in tests/script/modules.py: ONNX Runtime would join the two nodes.
TEST(KeepPaddingTest, OfAPadBeforeAPoolWithoutPadding) {
  const auto text = [](const std::string& before, std::vector<ir::Attribute> attributes) {
    GraphBuilder b;
    const ir::ValueId x = b.Input("x", {1, 2, 8, 8});
    const ir::ValueId padded = b.Node(before, {x, b.Ints("pads", {0, 0, 1, 1, 0, 0, 1, 1})}, "padded", {1, 2, 10, 10});
    b.Output(b.Node("MaxPool", {padded}, "y", {1, 2, 4, 4}, ir::DType::kFloat32, std::move(attributes)));
    const bool changed = KeepPadding(&b.graph);
    const ir::Node& pool = b.graph.body.nodes.back();
    EXPECT_EQ(changed, FindAttribute(pool, "auto_pad") != nullptr);
    EXPECT_TRUE(!changed || FindAttribute(pool, "pads") == nullptr);
    return changed;
  };
  const auto pads = [](int64_t each) { return ir::Attribute{"pads", {std::vector<ir::Arg>(4, ir::Arg{each})}}; };
  EXPECT_TRUE(text("Pad", {}));
  EXPECT_TRUE(text("Pad", {pads(0)}));
  EXPECT_FALSE(text("Relu", {pads(0)}));
  EXPECT_FALSE(text("Pad", {pads(1)}));
  EXPECT_FALSE(text("Pad", {pads(0), {"ceil_mode", {int64_t{1}}}}));
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
