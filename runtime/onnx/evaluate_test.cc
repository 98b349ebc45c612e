#include "runtime/onnx/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "runtime/onnx/evaluate_elements.h"
#include "runtime/testing/graph_builder.h"

namespace onnxport::onnx_ops::evaluate_test {
namespace {

using ir::DType;
constexpr DType kI64 = DType::kInt64;
constexpr DType kBool = DType::kBool;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

KnownTensor Vec(std::vector<int64_t> elements, DType dtype = kI64) {
  const auto count = static_cast<int64_t>(elements.size());
  return {dtype, {count}, std::move(elements)};
}
KnownTensor Num(int64_t element, DType dtype = kI64) { return {dtype, {}, {element}}; }
KnownTensor Floats(std::vector<double> numbers, DType dtype = DType::kFloat32) {
  KnownTensor tensor = {dtype, {static_cast<int64_t>(numbers.size())}, {}};
  for (const double number : numbers) {
    tensor.elements.push_back(FromFloat(dtype == DType::kFloat32 ? static_cast<float>(number) : number));
  }
  return tensor;
}
const std::optional<KnownTensor> kNothing;

struct EvaluateCase {
  const char* op;
  std::vector<KnownTensor> inputs;
  std::vector<ir::Attribute> attributes;
  std::optional<KnownTensor> result;
};

void Check(const std::vector<EvaluateCase>& cases) {
  for (size_t i = 0; i < cases.size(); ++i) {
    const EvaluateCase& test = cases[i];
    SCOPED_TRACE(std::string(test.op) + " case " + std::to_string(i));
    passes::GraphBuilder builder;
    ir::Node node;
    node.op = test.op;
    node.attributes = test.attributes;
    std::vector<const KnownTensor*> inputs;
    for (const KnownTensor& input : test.inputs) {
      node.inputs.push_back({builder.Value("", ir::Dims(input.shape.begin(), input.shape.end()), input.dtype)});
      inputs.push_back(&input);
    }
    node.outputs = {builder.Value("", {})};
    EXPECT_TRUE(Evaluate(builder.graph, node, inputs) == test.result);
  }
}

TEST(EvaluateTest, Elementwise) {
  Check({
      {"Add", {Vec({1, 2}), Num(3)}, {}, Vec({4, 5})},
      {"Add", {Num(INT64_MAX), Num(1)}, {}, Num(INT64_MIN)},
      {"Sub", {Vec({1, 2}, DType::kUInt8), Vec({2, 2}, DType::kUInt8)}, {}, Vec({255, 0}, DType::kUInt8)},
      {"Mul", {Num(1 << 30, DType::kInt32), Num(4, DType::kInt32)}, {}, Num(0, DType::kInt32)},
      {"Mul",
       {{kI64, {2, 1}, {1, 2}}, {kI64, {3}, {1, 10, 100}}},
       {},
       KnownTensor{kI64, {2, 3}, {1, 10, 100, 2, 20, 200}}},
      {"Div", {Vec({7, -8, 0}), Num(2)}, {}, Vec({3, -4, 0})},
      {"Div", {Num(-7), Num(2)}, {}, kNothing},
      {"Div", {Num(7), Num(0)}, {}, kNothing},
      {"Div", {Num(INT64_MIN), Num(-1)}, {}, kNothing},
      {"Mod", {Vec({7, -7, 7}), Vec({3, 3, -3})}, {}, Vec({1, 2, -2})},
      {"Mod", {Num(7), Num(3)}, {{"fmod", {int64_t{1}}}}, kNothing},
      {"Mod", {Num(7), Num(0)}, {}, kNothing},
      {"Min", {Vec({1, 5}), Num(3), Num(2)}, {}, Vec({1, 2})},
      {"Max", {Vec({1, 5}), Num(3)}, {}, Vec({3, 5})},
      {"Max", {Num(4)}, {}, Num(4)},
      {"Neg", {Num(INT64_MIN)}, {}, Num(INT64_MIN)},
      {"Abs", {Vec({-3, 3})}, {}, Vec({3, 3})},
      {"Equal", {Vec({1, 2}), Num(2)}, {}, Vec({0, 1}, kBool)},
      {"Less", {Vec({1, 2}), Num(2)}, {}, Vec({1, 0}, kBool)},
      {"LessOrEqual", {Vec({2, 3}), Num(2)}, {}, Vec({1, 0}, kBool)},
      {"Greater", {Vec({2, 3}), Num(2)}, {}, Vec({0, 1}, kBool)},
      {"GreaterOrEqual", {Vec({1, 2}), Num(2)}, {}, Vec({0, 1}, kBool)},
      {"And", {Vec({0, 1}, kBool), Num(1, kBool)}, {}, Vec({0, 1}, kBool)},
      {"Or", {Vec({0, 1}, kBool), Num(0, kBool)}, {}, Vec({0, 1}, kBool)},
      {"Xor", {Vec({0, 1}, kBool), Num(1, kBool)}, {}, Vec({1, 0}, kBool)},
      {"Not", {Vec({0, 1}, kBool)}, {}, Vec({1, 0}, kBool)},
      {"Where", {Vec({0, 1}, kBool), Num(5), Vec({7, 8})}, {}, Vec({7, 5})},
      {"BitwiseAnd", {Vec({1, 8}), Num(3)}, {}, kNothing},
      {"Div", {Vec({9, -8}), Vec({4, 8})}, {}, Vec({2, -1})},
      {"Div", {Num(-9), Num(4)}, {}, kNothing},
      {"Mod", {Vec({-9, 9, INT64_MIN}), Num(4)}, {}, Vec({3, 1, 0})},
      {"Add", {Vec({1, 2}), Vec({1, 2, 3})}, {}, kNothing},
      {"Cast", {Vec({-1, 256})}, {{"to", {DType::kUInt8}}}, Vec({255, 0}, DType::kUInt8)},
      {"Cast", {Vec({-1, 0})}, {{"to", {DType::kBool}}}, Vec({1, 0}, kBool)},
      {"Cast", {Vec({1})}, {{"to", {DType::kFloat16}}}, kNothing},
  });
}

struct ElementCase {
  const char* op;
  DType dtype;
  std::vector<std::vector<int64_t>> inputs;
  std::vector<int64_t> result;  // empty: the evaluation gives nothing
  const char* direction = "";
};

TEST(EvaluateElementsTest, OfBits) {
  const std::vector<ElementCase> cases = {
      {"BitwiseAnd", DType::kInt8, {{-1, 90}, {15, 15}}, {15, 10}},
      {"BitwiseOr", kI64, {{1, 8}, {3, 3}}, {3, 11}},
      {"BitwiseXor", kI64, {{1, 8}, {3, 3}}, {2, 11}},
      {"BitwiseNot", DType::kUInt8, {{0, 255}}, {255, 0}},
      {"BitShift", DType::kUInt8, {{255, 3}, {4, 4}}, {240, 48}, "LEFT"},
      {"BitShift", DType::kUInt8, {{255, 3}, {4, 7}}, {15, 0}, "RIGHT"},
      {"BitShift", DType::kUInt8, {{255}, {8}}, {}, "RIGHT"},
      {"BitShift", DType::kUInt16, {{255}, {8}}, {0}, "RIGHT"},
      {"BitShift", DType::kUInt32, {{1}, {31}}, {int64_t{1} << 31}, "LEFT"},
      {"BitShift", DType::kUInt32, {{1}, {32}}, {}, "LEFT"},
      {"BitShift", DType::kUInt64, {{1}, {1}}, {}, "LEFT"},
      {"Add", DType::kUInt8, {{255}, {2}}, {1}},
      {"Relu", kI64, {{1}}, {}},
  };
  for (const ElementCase& test : cases) {
    SCOPED_TRACE(std::string(test.op) + test.direction);
    ir::Node node;
    node.op = test.op;
    node.attributes = {{"direction", {std::string(test.direction)}}};
    const std::vector<std::span<const int64_t>> inputs(test.inputs.begin(), test.inputs.end());
    std::vector<int64_t> result(test.inputs[0].size());
    const DType made = EvaluateElements(node, test.dtype, inputs, result);
    EXPECT_EQ(made, test.result.empty() ? DType::kUndefined : test.dtype);
    if (made == DType::kUndefined) continue;
    EXPECT_EQ(result, test.result);
  }
}

TEST(EvaluateTest, FloatsAsTheDTypeComputes) {
  constexpr DType kF64 = DType::kFloat64;
  const double infinity = std::numeric_limits<double>::infinity();
  Check({
      {"Add", {Floats({0.1F}), Floats({0.2F})}, {}, Floats({0.1F + 0.2F})},
      {"Add", {Floats({0.1}, kF64), Floats({0.2}, kF64)}, {}, Floats({0.1 + 0.2}, kF64)},
      {"Mul", {Floats({3e38, -2}), Floats({10})}, {}, Floats({infinity, -20})},
      {"Div", {Floats({1, -1}), Floats({3})}, {}, Floats({1.0F / 3, -1.0F / 3})},
      {"Div", {Floats({1}), Floats({-0.0})}, {}, Floats({-infinity})},
      {"Div", {Floats({0}), Floats({0})}, {}, kNothing},
      {"Sub", {Floats({1}), Floats({1}, kF64)}, {}, kNothing},
      {"Neg", {Floats({0, 1})}, {}, Floats({-0.0, -1})},
      {"Sqrt", {Floats({2})}, {}, Floats({std::sqrt(2.0F)})},
      {"Sqrt", {Floats({-1})}, {}, kNothing},
      {"Reciprocal", {Floats({3})}, {}, Floats({1.0F / 3})},
      {"Floor", {Floats({-1.5})}, {}, Floats({-2})},
      {"Pow", {Floats({10000}), Floats({-0.5, 0, 2})}, {}, Floats({0.01, 1, 1e8})},
      {"Pow", {Floats({2}, kF64), Floats({0.5}, kF64)}, {}, kNothing},
      {"Cos", {Floats({0, 1})}, {}, Floats({1, 0.5403023058681398})},
      {"Sin", {Floats({1e4})}, {}, Floats({-0.3056143888882522})},
      {"Sin", {Floats({1e10})}, {}, kNothing},
      {"Cos", {Floats({1}, kF64)}, {}, kNothing},
      {"Exp", {Floats({-1})}, {}, Floats({0.36787944117144233})},
      {"Log", {Floats({10, 0, -0.0})}, {}, Floats({2.302585092994046, -kInfinity, -kInfinity})},
      {"Log", {Floats({-1})}, {}, kNothing},
      {"Less", {Floats({-0.0, -1}), Floats({0})}, {}, Vec({0, 1}, kBool)},
      {"Cast", {Vec({1, -1})}, {{"to", {DType::kFloat32}}}, Floats({1, -1})},
      {"Cast", {Vec({(int64_t{1} << 53) + 1})}, {{"to", {DType::kFloat32}}}, kNothing},
      {"Cast", {Floats({1.5, -1.5})}, {{"to", {kI64}}}, Vec({1, -1})},
      {"Cast", {Floats({0.5, -0.0})}, {{"to", {DType::kBool}}}, Vec({1, 0}, kBool)},
      {"Cast", {Floats({300})}, {{"to", {DType::kUInt8}}}, kNothing},
      {"Cast", {Floats({-kInfinity, -1e30})}, {{"to", {kI64}}}, Vec({INT64_MIN, INT64_MIN})},
      {"Cast", {Floats({kInfinity})}, {{"to", {kI64}}}, kNothing},
      {"Cast", {Floats({-kInfinity})}, {{"to", {DType::kInt32}}}, kNothing},
      {"Cast", {Floats({0.1}, kF64)}, {{"to", {DType::kFloat32}}}, Floats({0.1})},
      {"Where", {Vec({0, 1}, kBool), Floats({-0.0}), Floats({2, 3})}, {}, Floats({2, -0.0})},
      {"Gather", {Floats({5, 6}), Num(1)}, {}, KnownTensor{DType::kFloat32, {}, {FromFloat(6)}}},
      {"Range", {Floats({0}), Floats({1}), Floats({0.1})}, {}, kNothing},
      {"CumSum", {Floats({0.1, 0.2}), Num(0)}, {}, kNothing},
  });
}

TEST(EvaluateTest, Indexing) {
  const KnownTensor table = {kI64, {2, 3}, {1, 2, 3, 4, 5, 6}};
  Check({
      {"Gather", {Vec({7, 8, 9}), Num(-1)}, {}, Num(9)},
      {"Gather", {Vec({7, 8, 9}), Vec({1, 0})}, {}, Vec({8, 7})},
      {"Gather", {table, Vec({2, 0})}, {{"axis", {int64_t{-1}}}}, KnownTensor{kI64, {2, 2}, {3, 1, 6, 4}}},
      {"Gather", {table, Num(1)}, {}, Vec({4, 5, 6})},
      {"Gather", {Vec({7}), Num(1)}, {}, kNothing},
      {"Gather", {Num(7), Num(0)}, {}, kNothing},
      {"GatherElements",
       {table, {kI64, {2, 2}, {0, 2, -1, 0}}},
       {{"axis", {int64_t{1}}}},
       KnownTensor{kI64, {2, 2}, {1, 3, 6, 4}}},
      {"GatherElements", {table, {kI64, {1, 3}, {1, 0, -1}}}, {}, KnownTensor{kI64, {1, 3}, {4, 2, 6}}},
      {"GatherElements", {table, {kI64, {1, 1}, {2}}}, {}, kNothing},
      {"GatherElements", {table, Vec({0})}, {}, kNothing},
      {"GatherND", {table, {kI64, {2, 2}, {0, 2, -1, 0}}}, {}, Vec({3, 4})},
      {"GatherND", {table, {kI64, {1, 2, 1}, {1, 0}}}, {}, KnownTensor{kI64, {1, 2, 3}, {4, 5, 6, 1, 2, 3}}},
      {"GatherND", {table, Vec({1, 1})}, {}, Num(5)},
      {"GatherND", {table, Vec({2})}, {}, kNothing},
      {"GatherND", {table, Vec({0, 0, 0})}, {}, kNothing},
      {"GatherND", {table, {kI64, {2, 1}, {0, 1}}}, {{"batch_dims", {int64_t{1}}}}, kNothing},
      {"CumSum", {table, Num(0)}, {}, KnownTensor{kI64, {2, 3}, {1, 2, 3, 5, 7, 9}}},
      {"CumSum", {table, Num(-1)}, {}, KnownTensor{kI64, {2, 3}, {1, 3, 6, 4, 9, 15}}},
      {"CumSum", {Vec({INT64_MAX, 1}), Num(0)}, {}, kNothing},
      {"CumSum", {Vec({1, 2}), Num(1)}, {}, kNothing},
      {"CumSum", {Vec({1, 2}), Num(0)}, {{"reverse", {int64_t{1}}}}, kNothing},
      {"CumSum", {Vec({1, 2}), Num(0)}, {{"exclusive", {int64_t{1}}}}, kNothing},
      {"Slice", {Vec({0, 1, 2, 3}), Vec({1}), Vec({INT64_MAX})}, {}, Vec({1, 2, 3})},
      {"Slice", {Vec({0, 1, 2, 3}), Vec({-2}), Vec({-1}), Vec({0})}, {}, Vec({2})},
      {"Slice", {Vec({0, 1, 2, 3}), Vec({-1}), Vec({INT64_MIN}), Vec({0}), Vec({-2})}, {}, Vec({3, 1})},
      {"Slice", {Vec({0, 1, 2, 3}), Vec({3}), Vec({1})}, {}, Vec({})},
      {"Slice", {Vec({0, 1}), Vec({-9}), Vec({-9}), Vec({0}), Vec({-1})}, {}, kNothing},
      {"Slice", {table, Vec({1, 0}), Vec({2, 2}), Vec({1, 0})}, {}, KnownTensor{kI64, {2, 1}, {2, 5}}},
      {"Slice", {Vec({0, 1, 2, 3})}, {{"starts", passes::IntList({1})}, {"ends", passes::IntList({3})}}, Vec({1, 2})},
      {"Slice", {Vec({0}), Vec({0}), Vec({1}), Vec({5})}, {}, kNothing},
      {"Slice", {Vec({0}), Vec({0}), Vec({1}), Vec({0}), Vec({0})}, {}, kNothing},
      {"Concat", {Vec({1}), Vec({2, 3}), Vec({})}, {{"axis", {int64_t{0}}}}, Vec({1, 2, 3})},
      {"Concat",
       {table, {kI64, {2, 1}, {8, 9}}},
       {{"axis", {int64_t{-1}}}},
       KnownTensor{kI64, {2, 4}, {1, 2, 3, 8, 4, 5, 6, 9}}},
      {"Transpose", {table}, {}, KnownTensor{kI64, {3, 2}, {1, 4, 2, 5, 3, 6}}},
      {"Transpose",
       {{kI64, {1, 2, 3}, {1, 2, 3, 4, 5, 6}}},
       {{"perm", passes::IntList({2, 0, 1})}},
       KnownTensor{kI64, {3, 1, 2}, {1, 4, 2, 5, 3, 6}}},
      {"Transpose", {table}, {{"perm", passes::IntList({0, 0})}}, kNothing},
      {"Trilu", {table}, {}, KnownTensor{kI64, {2, 3}, {1, 2, 3, 0, 5, 6}}},
      {"Trilu", {table, Num(1)}, {}, KnownTensor{kI64, {2, 3}, {0, 2, 3, 0, 0, 6}}},
      {"Trilu", {table, Num(-1)}, {{"upper", {int64_t{0}}}}, KnownTensor{kI64, {2, 3}, {0, 0, 0, 4, 0, 0}}},
      {"Trilu", {{kI64, {2, 2, 1}, {1, 2, 3, 4}}}, {}, KnownTensor{kI64, {2, 2, 1}, {1, 0, 3, 0}}},
      {"Trilu", {Vec({1})}, {}, kNothing},
      {"Range", {Num(1), Num(6), Num(2)}, {}, Vec({1, 3, 5})},
      {"Range", {Num(3), Num(0), Num(-1)}, {}, Vec({3, 2, 1})},
      {"Range", {Num(3), Num(0), Num(1)}, {}, Vec({})},
      {"Range", {Num(0), Num(kMostElements + 1), Num(1)}, {}, kNothing},
      {"Range", {Num(0), Num(1), Num(0)}, {}, kNothing},
  });
}

TEST(EvaluateTest, Shapes) {
  const KnownTensor table = {kI64, {2, 3}, {1, 2, 3, 4, 5, 6}};
  Check({
      {"Shape", {table}, {}, Vec({2, 3})},
      {"Shape", {table}, {{"start", {int64_t{-1}}}}, Vec({3})},
      {"Shape", {table}, {{"start", {int64_t{1}}}, {"end", {int64_t{0}}}}, Vec({})},
      {"Size", {table}, {}, Num(6)},
      {"Unsqueeze", {Vec({1, 2}), Vec({0, -1})}, {}, KnownTensor{kI64, {1, 2, 1}, {1, 2}}},
      {"Unsqueeze", {Num(5)}, {{"axes", passes::IntList({0})}}, Vec({5})},
      {"Unsqueeze", {Num(5), Vec({0, 0})}, {}, kNothing},
      {"Squeeze", {Vec({5})}, {}, Num(5)},
      {"Squeeze", {{kI64, {1, 1}, {5}}, Vec({-1})}, {}, Vec({5})},
      {"Squeeze", {Vec({1, 2}), Vec({0})}, {}, kNothing},
      {"Reshape", {table, Vec({3, -1})}, {}, KnownTensor{kI64, {3, 2}, {1, 2, 3, 4, 5, 6}}},
      {"Reshape", {table, Vec({0, 3, 1})}, {}, KnownTensor{kI64, {2, 3, 1}, {1, 2, 3, 4, 5, 6}}},
      {"Reshape", {table, Vec({4, -1})}, {}, kNothing},
      {"Reshape", {Vec({}), Vec({0, -1})}, {}, kNothing},
      {"Reshape", {table, Vec({0, -1})}, {{"allowzero", {int64_t{1}}}}, kNothing},
      {"Expand", {Num(7), Vec({2})}, {}, Vec({7, 7})},
      {"Expand", {{kI64, {2, 1}, {1, 2}}, Vec({1, 2})}, {}, KnownTensor{kI64, {2, 2}, {1, 1, 2, 2}}},
      {"ConstantOfShape", {Vec({2})}, {{"value", {ToTensorData(Vec({9}))}}}, Vec({9, 9})},
      {"ConstantOfShape", {Vec({2})}, {}, Floats({0, 0})},
      {"ConstantOfShape", {Vec({1 << 20})}, {{"value", {ToTensorData(Vec({9}))}}}, kNothing},
      {"Identity", {Vec({2})}, {}, Vec({2})},
      {"ReduceSum", {Vec({2})}, {}, kNothing},
  });
}

TEST(KnownTensorTest, KeepsElementsThroughBytes) {
  for (const DType dtype : {DType::kBool, DType::kInt8, DType::kUInt8, DType::kInt16, DType::kUInt16, DType::kInt32,
                            DType::kUInt32, DType::kInt64}) {
    KnownTensor tensor = Vec({0, 1, 100, -1}, dtype);
    for (int64_t& element : tensor.elements) element = Wrap(element, dtype);
    EXPECT_TRUE(ReadKnown(*ToTensorData(tensor)) == tensor) << Name(dtype);
  }
  for (const DType dtype : {DType::kFloat32, DType::kFloat64}) {
    const KnownTensor tensor = Floats({-0.0, 0.1, 3e38}, dtype);
    EXPECT_TRUE(ReadKnown(*ToTensorData(tensor)) == tensor) << Name(dtype);
  }
  EXPECT_FALSE(ReadKnown(*ir::MakeTensor(DType::kFloat16, {1}, "ab")));
  EXPECT_FALSE(ReadKnown(*ir::MakeTensor(DType::kUInt64, {1}, "abcdabcd")));
  EXPECT_FALSE(ReadKnown(*ir::MakeTensor(DType::kInt8, {kMostElements + 1}, std::string(kMostElements + 1, 'a'))));
}

}  // namespace
}  // namespace onnxport::onnx_ops::evaluate_test
