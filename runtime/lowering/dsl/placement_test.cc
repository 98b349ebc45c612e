// How `Context::op` puts what specs write into nodes.
#include <gtest/gtest.h>

#include <functional>

#include "runtime/testing/emitted_graph.h"

namespace onnxport::lowering::placement_test {
namespace {

std::string Text(const TestGraph& test) { return ir::ToText(test.graph); }

TEST(Placement, HostNumbersTakeTheTypeOfTheOthers) {
  TestGraph test(17);
  const Val x = test.Input("x", DType::kInt32, {"2"});
  EXPECT_EQ(test.context.op("Max", {x, 0}).ToString(), "int32[2]");
  EXPECT_NE(Text(test).find("value=int32[]{0}"), std::string::npos) << Text(test);
  const Val half = test.Input("h", DType::kFloat16, {"2"});
  half * 0.1;
  EXPECT_NE(Text(test).find("value=float16[]{0.0999755859375}"), std::string::npos) << Text(test);
}

TEST(Placement, HostNumbersAloneGoByKind) {
  TestGraph test(17);
  EXPECT_EQ(test.context.op("Range", {0, 5, 1}).ToString(), "int64[5] {0, 1, 2, 3, 4}");
  EXPECT_EQ(test.context.op("Range", {0, 1, 0.5}).ToString(), "float32[2]");
  EXPECT_EQ(test.context.op("Exp", {1}).ToString(), "float32[]");
}

TEST(Placement, ConstantsAreOne) {
  TestGraph test(17);
  const Val x = test.Input("x", DType::kFloat32, {"2"});
  x + 1.0;
  x * 1.0;
  const Val negative = test.context.constant(-0.0, DType::kFloat32);
  EXPECT_NE(test.context.constant(0.0, DType::kFloat32).AsTensor().id, negative.AsTensor().id);
  int constants = 0;
  for (const ir::Node& node : test.graph.body.nodes) constants += node.op == "Constant";
  EXPECT_EQ(constants, 3);
}

TEST(Placement, FixedTypesAndListsOfOne) {
  TestGraph test(17);
  const Val x = test.Input("x", DType::kFloat32, {"2", "1"});
  EXPECT_EQ(test.context.op("Reshape", {x, Vals{-1}}).ToString(), "float32[2]");
  EXPECT_EQ(test.context.op("Squeeze", {x, 1}).ToString(), "float32[2]");
  TestGraph old(11);
  const Val y = old.Input("y", DType::kFloat32, {"2", "1"});
  EXPECT_EQ(old.context.op("Squeeze", {y}, {{"axes", 1}}).ToString(), "float32[2]");
}

TEST(Placement, AbsentInputs) {
  TestGraph test(17);
  const Val x = test.Input("x", DType::kFloat32, {"2"});
  test.context.op("Clip", {x, Val(), 6.0});
  EXPECT_EQ(test.graph.body.nodes.back().inputs.size(), 3u);
  EXPECT_TRUE(test.graph.body.nodes.back().inputs[1].is_none());
  test.context.op("Clip", {x, 0.0, Val()});
  EXPECT_EQ(test.graph.body.nodes.back().inputs.size(), 2u);
  EXPECT_NE(RefusalOf([&] { test.context.op("Add", {x, Val()}); }), "");
}

// ONNX's inference takes them on trust.
TEST(Placement, LooksAtEquationsAndNumbersOfResults) {
  TestGraph test(17);
  const Val x = test.Input("x", DType::kFloat32, {"2", "3"});
  EXPECT_EQ(test.context.op("Einsum", {x}, {{"equation", "ij->ji"}}).ToString(), "float32[3, 2]");
  EXPECT_EQ(RefusalOf([&] { test.context.op("Einsum", {x}, {{"equation", "ij->jj"}}); }),
            "the equation of ONNX Einsum is wrong: the result has a letter twice");
  EXPECT_EQ(RefusalOf(Code::kBreaksOnnx, [&] { test.context.op("Einsum", {x, x}, {{"equation", "ij->ji"}}); }),
            "the equation of ONNX Einsum is wrong: it has 1 terms for 2 operands");
  const Val shape = test.Input("shape", DType::kInt64, {"65"});
  EXPECT_EQ(RefusalOf([&] { test.context.op("Expand", {x, shape}); }), "ONNX Expand is given a shape of 65 axes");
  Emitter& emitter = *x.AsTensor().emitter;
  EXPECT_EQ(RefusalOf([&] { emitter.AddNode(emitter.Op("Relu"), {{x.AsTensor().id}}, {}, 0); }),
            "ONNX Relu has 1 to 1 results, not 0");
}

TEST(Placement, SplatsLists) {
  TestGraph test(17);
  const Val x = test.Input("x", DType::kFloat32, {"n", "2"});
  EXPECT_EQ(test.context.op("Concat", {Splat(Vals{x, x, x})}, {{"axis", 0}}).ToString(), "float32[3*n, 2]");
}

// The schema of the opset says whether a name is an attribute or an input.
TEST(Placement, NamedArgumentsGoWhereTheSchemaHasThem) {
  struct {
    int opset;
    const char* text;
  } const kCases[] = {{9, "Slice(%x, axes=[0], ends=[2], starts=[1])"}, {10, "Slice(%x, %#1, %#2, %#3)"}};
  for (const auto& c : kCases) {
    TestGraph test(c.opset);
    const Val x = test.Input("x", DType::kFloat32, {"3"});
    test.context.op("Slice", {x}, {{"ends", 2}, {"starts", Vals{1}}, {"axes", 0}});
    EXPECT_NE(Text(test).find(c.text), std::string::npos) << Text(test);
  }
  TestGraph test(11);
  const Val x = test.Input("x", DType::kFloat32, {"3"});
  test.context.op("Clip", {x}, {{"max", 6}});
  EXPECT_NE(Text(test).find("Clip(%x, None, %#1)"), std::string::npos) << Text(test);
}

struct Computation {
  int opset;
  DType dtype;
  ComputeIn compute_in;
  const char* ops;      // what is emitted, constants left out
  const char* refusal;  // part of the message; "" for none
};

TEST(Placement, ComputesInAnotherDTypeOnlyWhereTheSchemaNeedsIt) {
  const Computation kCases[] = {
      {14, DType::kInt32, {}, "Relu", ""},
      {13, DType::kInt32, {}, "", "ONNX Relu of opset 13 does not take int32; it takes "},
      {13, DType::kInt32, {.integers = DType::kFloat32}, "Cast Relu Cast", ""},
      {13, DType::kInt32, {.half = DType::kFloat32}, "", "does not take int32"},
      {13, DType::kBool, {.boolean = DType::kFloat32}, "Cast Relu Cast", ""},
      {12, DType::kBFloat16, {.half = DType::kFloat32}, "", "Cast of opset 12 does not know bfloat16"},
      {12, DType::kBFloat16, {}, "", "ONNX Relu of opset 12 does not take bfloat16"},
      {13, DType::kFloat16, {.half = DType::kFloat32}, "Relu", ""},
  };
  for (const Computation& c : kCases) {
    TestGraph test(c.opset);
    test.context.compute_in(c.compute_in);
    const Val x = test.Input("x", c.dtype, {"2"});
    Val y = x;
    const std::string refusal = RefusalOf([&] { y = test.context.op("Relu", {x}); });
    EXPECT_NE(refusal.find(c.refusal), std::string::npos) << refusal;
    EXPECT_EQ(refusal.empty(), *c.refusal == '\0') << refusal;
    EXPECT_EQ(test.Ops(), c.ops);
    EXPECT_EQ(dtype(y).AsDType(), c.dtype);
  }
}

TEST(Placement, ComputesBFloat16InFloat32WhereTheSchemaHasItLater) {
  for (const auto& [opset, ops] : {std::pair{13, "Cast Acos Cast"}, {21, "Cast Acos Cast"}, {22, "Acos"}}) {
    TestGraph test(opset);
    const Val y = test.context.op("Acos", {test.Input("x", DType::kBFloat16, {"2"})});
    EXPECT_EQ(test.Ops(), ops);
    EXPECT_EQ(dtype(y).AsDType(), DType::kBFloat16);
  }
  TestGraph test(18);
  const Val x = test.Input("x", DType::kBFloat16, {"2"});
  EXPECT_NE(RefusalOf([&] { test.context.op("RandomNormalLike", {x}); }), "");
}

TEST(Placement, RefusesAResultThatTheSchemaDoesNotHave) {
  TestGraph test(18);
  const auto draw = [&](DType dtype) { test.context.op("RandomNormal", {}, {{"shape", Vals{2}}, {"dtype", dtype}}); };
  EXPECT_EQ(RefusalOf([&] { draw(DType::kFloat16); }), "");
  EXPECT_EQ(RefusalOf([&] { draw(DType::kBFloat16); }),
            "ONNX RandomNormal of opset 18 does not give bfloat16; it gives float32, float16, float64");
}

TEST(Placement, ComputingInAnotherDTypeLeavesOtherResultsAlone) {
  TestGraph test(10);
  test.context.compute_in({.integers = DType::kFloat32});
  const Val x = test.Input("x", DType::kInt64, {"2", "5"});
  const Val y = test.context.ops("TopK", {x, 2}, {{"axis", 1}}, 2);
  EXPECT_EQ(y[0].ToString(), "int64[2, 2]");
  EXPECT_EQ(y[1].ToString(), "int64[2, 2]");
  EXPECT_EQ(test.Ops(), "Cast TopK Cast");
}

struct Wrong {
  const char* message;
  std::function<void(Context&, const Val& floats, const Val& ints)> run;
};

TEST(Placement, Refuses) {
  const Wrong kCases[] = {
      {"opset 17 has no operator Gelu", [](Context& c, const Val& x, const Val&) { c.op("Gelu", {x}); }},
      {"needs inputs of one dtype, has float32 and int64",
       [](Context& c, const Val& x, const Val& i) { c.op("Add", {x, i}); }},
      {"takes 2 to 2 inputs, not 3", [](Context& c, const Val& x, const Val&) { c.op("Add", {x, x, x}); }},
      {"0.5 does not fit int64", [](Context& c, const Val&, const Val& i) { c.op("Add", {i, 0.5}); }},
      {"ONNX Relu of opset 17 has no argument axes",
       [](Context& c, const Val& x, const Val&) { c.op("Relu", {x}, {{"axes", 1}}); }},
      {"ONNX Squeeze is given its input axes twice",
       [](Context& c, const Val& x, const Val&) { c.op("Squeeze", {x, 1}, {{"axes", 1}}); }},
      {"needs its attribute axis", [](Context& c, const Val& x, const Val&) { c.op("Concat", {x, x}); }},
      {"s is not known before the model runs",
       [](Context& c, const Val& x, const Val&) { c.op("Flatten", {x}, {{"axis", dim(x, 0)}}); }},
      {"does not fit its inputs",
       [](Context& c, const Val& x, const Val&) { c.op("Transpose", {x}, {{"perm", Vals{0, 5}}}); }},
      {"has 1 results, not 2", [](Context& c, const Val& x, const Val&) { c.ops("Relu", {x}, {}, 2); }},
  };
  for (const Wrong& c : kCases) {
    TestGraph test(17);
    const Val x = test.Input("x", DType::kFloat32, {"s", "3"});
    const Val i = test.Input("i", DType::kInt64, {"s", "3"});
    const std::string refusal = RefusalOf([&] { c.run(test.context, x, i); });
    EXPECT_NE(refusal.find(c.message), std::string::npos) << refusal;
  }
}

TEST(Placement, SaysWhatAnAttributeNeeds) {
  TestGraph test(17);
  const Val x = test.Input("x", DType::kFloat32, {"s", "3"});
  const auto flatten = [&] { test.context.op("Flatten", {x}, {{"axis", dim(x, 0)}}); };
  EXPECT_NE(RefusalOf(Code::kArgumentIsNotKnown, flatten), "");
}

TEST(Placement, AttributesTakeTheSchemasType) {
  TestGraph test(12);
  const Val x = test.Input("x", DType::kFloat32, {"2", "3"});
  test.context.op("LeakyRelu", {x}, {{"alpha", 1}});
  EXPECT_NE(Text(test).find("LeakyRelu(%x, alpha=1.0)"), std::string::npos) << Text(test);
  test.context.op("ReduceSum", {x}, {{"keepdims", false}, {"axes", -1}});
  EXPECT_NE(Text(test).find("ReduceSum(%x, axes=[-1], keepdims=0)"), std::string::npos) << Text(test);
  test.context.op("ConstantOfShape", {Vals{2}}, {{"value", test.context.constant(1, DType::kFloat16)}});
  EXPECT_NE(Text(test).find("value=float16[1]{1})"), std::string::npos) << Text(test);
  test.context.op("LeakyRelu", {x}, {{"alpha", Val()}});
  EXPECT_NE(Text(test).find("LeakyRelu(%x)"), std::string::npos) << Text(test);
}

TEST(Placement, SliceBoundsCountFromTheEndWhereTheyCan) {
  TestGraph test(9);
  test.graph.ranges["s"] = {.min = 2, .max = std::nullopt};
  const Val x = test.Input("x", DType::kFloat32, {"3", "s"});
  const Val s = dim(x, 1);
  const Val y = test.context.op("Slice", {x}, {{"axes", Vals{1}}, {"starts", Vals{s - 2}}, {"ends", Vals{s}}});
  EXPECT_EQ(y.ToString(), "float32[3, 2]");
  EXPECT_NE(Text(test).find("ends=[9223372036854775807], starts=[-2]"), std::string::npos) << Text(test);
  // s - 3 may be negative, and then it means another place.
  EXPECT_NE(RefusalOf([&] {
              test.context.op("Slice", {x}, {{"axes", Vals{1}}, {"starts", Vals{0}}, {"ends", Vals{s - 3}}});
            }).find("[s - 3] is not known"),
            std::string::npos);
}

struct Target {
  std::function<Vals(const Val& s, const Val& t, const Val& any)> sizes;
  const char* ops;   // constants and the reading of sizes left out
  const char* text;  // a part of the graph
};

TEST(Placement, ReshapeTargetsAreConstantsWhereTheyCan) {
  const Target kCases[] = {
      {[](const Val& s, const Val& t, const Val&) { return Vals{s, 2, 2, t}; }, "Reshape",
       "value=int64[4]{0, 2, 2, -1}"},
      {[](const Val& s, const Val&, const Val&) { return Vals{s, -1}; }, "Reshape", "value=int64[2]{0, -1}"},
      {[](const Val& s, const Val& t, const Val&) { return Vals{s * 2, 2, t}; }, "Mul Reshape",
       "value=int64[3]{-1, 2, 0}"},
      {[](const Val&, const Val& t, const Val&) { return Vals{-1, t}; }, "Concat Reshape", ""},
      {[](const Val& s, const Val&, const Val& any) { return Vals{s, any, -1}; }, "Reshape Concat Reshape", ""},
      {[](const Val&, const Val&, const Val& any) { return Vals{any, 4}; }, "Reshape", "value=int64[2]{-1, 4}"},
      {[](const Val&, const Val&, const Val& any) { return Vals{any, 0}; }, "Reshape Concat Reshape", ""},
  };
  for (const Target& c : kCases) {
    TestGraph test(17);
    const Val x = test.Input("x", DType::kFloat32, {"s", "4", "t"});
    const Val any = test.Input("any", DType::kInt64, {});
    const Vals sizes = c.sizes(dim(x, 0), dim(x, 2), any);
    test.context.op("Reshape", {x, sizes});
    std::string ops = test.Ops();
    for (const std::string_view read : {"Shape ", "Gather "}) {
      for (size_t at = 0; (at = ops.find(read, at)) != std::string::npos;) {
        if (at == 0 || ops[at - 1] == ' ') {
          ops.erase(at, read.size());
        } else {
          ++at;
        }
      }
    }
    EXPECT_EQ(ops, c.ops) << Text(test);
    EXPECT_NE(Text(test).find(c.text), std::string::npos) << Text(test);
  }
}

TEST(Placement, ResultTypesWithoutInference) {
  TestGraph test(13);
  const Val x = test.Input("x", DType::kFloat32, {"s", "1"});
  const Val y = test.Input("y", DType::kFloat32, {"4"});
  EXPECT_EQ(test.context.op("GreaterOrEqual", {x, y}).ToString(), "bool[s, 4]");
  EXPECT_EQ(
      test.context.op("MeanVarianceNormalization", {test.Input("z", DType::kFloat32, {"1", "2", "3", "t"})}).ToString(),
      "float32[1, 2, 3, t]");
}

}  // namespace
}  // namespace onnxport::lowering::placement_test
