#include "runtime/model/passes/simplify/fuse_operators.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::fuse_operators_test {
namespace {

using ir::Dims;
using ir::DType;
using ir::ValueId;

const Dims kShape = {2, Sym("n"), 8};
const Dims kOne = {2, Sym("n"), 1};

// A program that spells things out.
class Program {
 public:
  explicit Program(int opset = 23) : b(opset), x(b.Input("x", kShape)) {}

  ValueId Number(double number) {
    const double rounded = static_cast<float>(number);
    return b.Constant("c" + std::to_string(count_++), {DType::kFloat32, {}, {onnx_ops::FromFloat(rounded)}});
  }
  ValueId Vector(const std::string& name, const std::vector<int64_t>& shape = {8}) {
    return b.Weight(name, shape, std::string(32, '\0'));
  }
  ValueId Op(const std::string& op, const std::vector<ValueId>& inputs, const Dims& dims = kShape) {
    return b.Node(op, inputs, "v" + std::to_string(count_++), dims);
  }
  ValueId Mean(ValueId of, int64_t axis = -1) {
    const ValueId axes = b.Ints("axes" + std::to_string(count_++), {axis});
    b.graph.value(axes).contents = Dims{axis};
    return Op("ReduceMean", {of, axes}, kOne);
  }
  // The last node after the pass, or that there was none to fuse.
  std::string Fused(ValueId output) {
    b.Output(output);
    if (!FuseOperators(&b.graph)) return "";
    const std::string body = Body(b.graph);
    const size_t end = body.rfind("\noutput");
    const std::string line = body.substr(body.rfind('\n', end - 1) + 1, end - body.rfind('\n', end - 1) - 1);
    return line.substr(line.find("= ") + 2);
  }

  GraphBuilder b;
  ValueId x;

 private:
  int count_ = 0;
};

std::string Gelu(double root, bool halves_first, int opset = 23) {
  Program p(opset);
  const ValueId e = p.Op("Add", {p.Op("Erf", {p.Op("Div", {p.x, p.Number(root)})}), p.Number(1)});
  if (halves_first) return p.Fused(p.Op("Mul", {p.Op("Mul", {p.x, p.Number(0.5)}), e}));
  return p.Fused(p.Op("Mul", {p.x, p.Op("Mul", {e, p.Number(0.5)})}));
}

TEST(FuseOperatorsTest, Gelu) {
  EXPECT_EQ(Gelu(1.4142135623730951, true), "Gelu(%x)");
  EXPECT_EQ(Gelu(1.4142135623730951, false), "Gelu(%x)");
  EXPECT_EQ(Gelu(1.4142, true), "");
  EXPECT_EQ(Gelu(1.4142135623730951, true, 19), "");
}

TEST(FuseOperatorsTest, GeluByTanh) {
  Program p;
  const ValueId cube = p.Op("Mul", {p.Number(0.044715), p.Op("Pow", {p.x, p.Number(3)})});
  const ValueId t = p.Op("Mul", {p.Op("Add", {p.x, cube}), p.Number(0.7978845608028654)});
  const ValueId e = p.Op("Add", {p.Number(1), p.Op("Tanh", {t})});
  EXPECT_EQ(p.Fused(p.Op("Mul", {p.Op("Mul", {p.Number(0.5), p.x}), e})), "Gelu(%x, approximate=\"tanh\")");
}

struct NormCase {
  const char* what;
  const char* result;
  double eps = 1e-6;
  std::vector<int64_t> scale = {8};
  int64_t axis = -1;
  bool used_twice = false;
  int opset = 23;
  std::string why = {};  // nothing became the operator
};

TEST(FuseOperatorsTest, RmsNormalization) {
  const NormCase cases[] = {
      {"as LLaMA does it", "RMSNormalization(%x, %scale, axis=-1, epsilon=9.999999974752427e-07)"},
      {.what = "axis by its number",
       .result = "RMSNormalization(%x, %scale, axis=-1, epsilon=9.999999974752427e-07)",
       .axis = 2},
      {.what = "no epsilon",
       .result = "",
       .eps = 0,
       .why = "the nearest is the Mul, but its eps is not above 0, or its last axis has one element or another number "
              "of them"},
      {.what = "a scale for each row",
       .result = "",
       .scale = {8, 1},
       .why = "the nearest is the Mul, but its scale or bias is no float32 of one axis with the size of the last one"},
      {.what = "another axis", .result = "", .axis = 1},
      {.what = "the mean is an output, too",
       .result = "",
       .used_twice = true,
       .why = "the nearest is the Mul, but something else uses a value inside of it"},
      {.what = "not in this opset", .result = "", .opset = 22},
  };
  for (const NormCase& test : cases) {
    Program p(test.opset);
    const ValueId mean = p.Mean(p.Op("Mul", {p.x, p.x}), test.axis);
    if (test.used_twice) p.b.Output(mean);
    const ValueId root =
        p.Op("Reciprocal", {p.Op("Sqrt", {p.Op("Add", {mean, p.Number(test.eps)}, kOne)}, kOne)}, kOne);
    const ValueId y = p.Op("Mul", {p.Vector("scale", test.scale), p.Op("Mul", {p.x, root})});
    EXPECT_EQ(p.Fused(y), test.result) << test.what;
    if (test.opset < 23) continue;
    EXPECT_EQ(WhyNoRmsNorm(p.b.graph), test.why) << test.what;
  }
}

TEST(FuseOperatorsTest, LayerNormalization) {
  for (const bool same : {true, false}) {
    Program p;  // with RMSNormalization, which is part of it
    const ValueId d = p.Op("Sub", {p.x, p.Mean(p.x)});
    const ValueId other = same ? d : p.Op("Sub", {p.x, p.Number(1)});
    const ValueId v = p.Op("Add", {p.Mean(p.Op("Pow", {other, p.Number(2)})), p.Number(0.5)}, kOne);
    const ValueId n = p.Op("Mul", {p.Op("Div", {d, p.Op("Sqrt", {v}, kOne)}), p.Vector("scale")});
    EXPECT_EQ(p.Fused(p.Op("Add", {n, p.Vector("bias")})),
              same ? "LayerNormalization(%x, %scale, %bias, axis=-1, epsilon=0.5)" : "");
  }
}

TEST(FuseOperatorsTest, LayerNormalizationByVariance) {
  for (const double count : {8, 7}) {
    Program p;
    const ValueId d = p.Op("Sub", {p.x, p.Mean(p.x)});
    const ValueId sum = p.Mean(p.Op("Mul", {d, d}));
    p.b.graph.body.nodes.back().op = "ReduceSum";
    const ValueId v = p.Op("Add", {p.Op("Div", {sum, p.Number(count)}, kOne), p.Number(0.5)}, kOne);
    const ValueId n = p.Op("Mul", {p.Op("Mul", {d, p.Op("Pow", {v, p.Number(-0.5)}, kOne)}), p.Vector("scale")});
    EXPECT_EQ(p.Fused(p.Op("Add", {p.Vector("bias"), n})),
              count == 8 ? "LayerNormalization(%x, %scale, %bias, axis=-1, epsilon=0.5)" : "");
  }
}

TEST(FuseOperatorsTest, SaysWhyAGatedUnitIsNone) {
  struct Case {
    std::string why;
    Dims other = kShape;
    DType dtype = DType::kFloat32;
    bool used_twice = false;
  };
  const Case cases[] = {
      {""},
      {.why = "the nearest is the Mul, but its two factors have two shapes", .other = {8}},
      {.why = "the nearest is the Mul, but it is not computed in float32", .dtype = DType::kFloat16},
      {.why = "the nearest is the Mul, but something else uses a value inside of it", .used_twice = true},
  };
  for (const Case& test : cases) {
    GraphBuilder b(28);
    const ValueId x = b.Input("x", kShape, test.dtype);
    const ValueId gate = b.Node("Mul", {x, b.Node("Sigmoid", {x}, "s", kShape, test.dtype)}, "g", kShape, test.dtype);
    if (test.used_twice) b.Output(gate);
    b.Output(b.Node("Mul", {gate, b.Input("y", test.other, test.dtype)}, "z", kShape, test.dtype));
    EXPECT_EQ(FuseGatedUnits(&b.graph), test.why.empty());
    EXPECT_EQ(WhyNoGatedUnit(b.graph), test.why);
  }
}

}  // namespace
}  // namespace onnxport::passes::fuse_operators_test
