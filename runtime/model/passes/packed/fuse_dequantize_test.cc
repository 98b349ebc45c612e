#include "runtime/model/passes/packed/fuse_dequantize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "runtime/ir/packed_dtype.h"
#include "runtime/ir/read_node.h"
#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::fuse_dequantize_test {
namespace {

using ir::DType;
using ir::ValueId;
using Floats = std::vector<float>;

constexpr int64_t kRows = 32;
constexpr int64_t kColumns = 36;
constexpr int64_t kGroup = 8;
constexpr DType kF32 = DType::kFloat32;
constexpr DType kU8 = DType::kUInt8;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// All 16 numbers of 4 bits, in both halves of the bytes.
uint8_t ByteAt(int64_t row, int64_t column) { return static_cast<uint8_t>(row * 37 + column * 91); }
float ScaleAt(int64_t group, int64_t column) { return 0.01F * static_cast<float>(1 + group * kColumns + column); }
int64_t ZeroAt(int64_t group, int64_t column) { return (group * 5 + column) % 16; }

// A program that takes weights apart, step by step.
class Program {
 public:
  explicit Program(int opset) : builder(opset) {}

  GraphBuilder builder;

  ValueId Bytes(int64_t rows = kRows, int64_t columns = kColumns) {
    std::string bytes;
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j) bytes += static_cast<char>(ByteAt(i, j));
    return builder.Weight("packed", {rows, columns}, bytes, kU8);
  }
  ValueId Scales(std::vector<int64_t> shape, Floats numbers) {
    return builder.Weight("scales", std::move(shape), AsBytes(numbers));
  }
  // One for each group of rows and column, of the shape [groups, 1, columns].
  ValueId GroupScales() {
    Floats scales;
    for (int64_t i = 0; i < kRows / kGroup; ++i)
      for (int64_t j = 0; j < kColumns; ++j) scales.push_back(ScaleAt(i, j));
    return Scales({kRows / kGroup, 1, kColumns}, scales);
  }
  ValueId Node(const std::string& op, const std::vector<ValueId>& inputs, ir::Dims dims, DType dtype,
               std::vector<ir::Attribute> attributes = {}) {
    return builder.Node(op, inputs, "", std::move(dims), dtype, std::move(attributes));
  }
  // The same shape as `x`.
  ValueId Like(const std::string& op, ValueId x, ValueId y) {
    return Node(op, {x, y}, *builder.graph.value(x).dims, builder.graph.value(x).dtype);
  }
  ValueId Number(int64_t number, DType dtype = kU8) { return builder.Scalar("", number, dtype); }
  ValueId Cast(ValueId x, DType to) {
    return Node("Cast", {x}, *builder.graph.value(x).dims, to, {{"to", {static_cast<int64_t>(to)}}});
  }
  ValueId Reshape(ValueId x, const std::vector<int64_t>& shape) {
    return Node("Reshape", {x, builder.Ints("", shape)}, ir::Dims(shape.begin(), shape.end()),
                builder.graph.value(x).dtype);
  }
  ValueId Mask(ValueId x, int64_t mask = 15) { return Like("BitwiseAnd", x, Number(mask)); }
  ValueId InGroups(ValueId x) { return Reshape(x, {kRows / kGroup, kGroup, kColumns}); }
  ValueId Joined(ValueId x) { return Reshape(x, {kRows, kColumns}); }
  // (x * scales) of groups.
  ValueId Scaled(ValueId x) { return Joined(Like("Mul", InGroups(Cast(x, kF32)), GroupScales())); }

  // x @ weight, and the pass.
  void Finish(ValueId weight) {
    const ir::Dims dims = *builder.graph.value(weight).dims;
    const DType dtype = builder.graph.value(weight).dtype;
    const ValueId x = builder.Input("x", {2, dims[0]}, dtype);
    builder.Output(Node("MatMul", {x, weight}, {2, dims[1]}, dtype));
  }
};

const ir::Node* FindNode(const ir::Graph& graph, std::string_view op) {
  for (const ir::Node& node : graph.body.nodes) {
    if (node.op == op) return &node;
  }
  return nullptr;
}

const ir::TensorData* DataOf(const ir::Graph& graph, ValueId id) {
  for (const ir::Weight& weight : graph.weights) {
    if (weight.value == id) return weight.data.get();
  }
  return nullptr;
}

std::vector<int64_t> IntegersOf(const ir::TensorData& data) {
  const std::string bytes = BytesOf(data);
  const int bits = ir::IsPacked(data.dtype) ? ir::PackedBits(data.dtype) : 8;
  const bool is_signed = data.dtype == ir::kInt2 || data.dtype == ir::kInt4 || data.dtype == DType::kInt8;
  std::vector<int64_t> integers;
  for (const char byte : bytes) {
    for (int shift = 0; shift < 8; shift += bits) {
      const int64_t number = (static_cast<uint8_t>(byte) >> shift) & ((1 << bits) - 1);
      integers.push_back(is_signed && number >> (bits - 1) != 0 ? number - (1 << bits) : number);
    }
  }
  return integers;
}

// "uint4[32,36] axis 0 of 8, zero points"; "" when there is no DequantizeLinear.
std::string Form(const ir::Graph& graph) {
  const ir::Node* node = FindNode(graph, "DequantizeLinear");
  if (node == nullptr) return "";
  const ir::TensorData& elements = *DataOf(graph, InputAt(*node, 0));
  std::string form(ir::Name(elements.dtype));
  for (size_t i = 0; i < elements.shape.size(); ++i) form += (i == 0 ? "[" : ",") + std::to_string(elements.shape[i]);
  form += "]";
  if (FindAttribute(*node, "axis") != nullptr) form += " axis " + std::to_string(IntAttribute(*node, "axis", -1));
  if (FindAttribute(*node, "block_size") != nullptr)
    form += " of " + std::to_string(IntAttribute(*node, "block_size", -1));
  return node->inputs.size() == 3 ? form + ", zero points" : form;
}

// The result of DequantizeLinear by ONNX's text, in two dimensions.
Floats Dequantized(const ir::Graph& graph) {
  const ir::Node& node = *FindNode(graph, "DequantizeLinear");
  const ir::TensorData& data = *DataOf(graph, InputAt(node, 0));
  const std::vector<int64_t> elements = IntegersOf(data);
  const std::string scale_bytes = BytesOf(*DataOf(graph, InputAt(node, 1)));
  Floats scales(scale_bytes.size() / sizeof(float));
  std::memcpy(scales.data(), scale_bytes.data(), scale_bytes.size());
  const std::vector<int64_t> zeros =
      node.inputs.size() == 3 ? IntegersOf(*DataOf(graph, InputAt(node, 2))) : std::vector<int64_t>(scales.size());
  const int64_t axis = IntAttribute(node, "axis", -1);
  const int64_t block = IntAttribute(node, "block_size", 0);
  Floats floats;
  for (int64_t i = 0; i < data.shape[0]; ++i) {
    for (int64_t j = 0; j < data.shape[1]; ++j) {
      int64_t at = axis == -1 ? 0 : axis == 0 ? i : j;
      if (block != 0 && axis == 0) at = i / block * data.shape[1] + j;
      if (block != 0 && axis == 1) at = i * ((data.shape[1] + block - 1) / block) + j / block;
      const auto index = static_cast<size_t>(at);
      const int64_t steps = elements[floats.size()] - zeros[index];
      floats.push_back(static_cast<float>(steps) * scales[index]);
    }
  }
  return floats;
}

struct FuseCase {
  std::string what;
  std::function<ValueId(Program* program)> weight;
  std::string form;
  std::function<float(int64_t row, int64_t column)> element;
  int opset = 21;
};

// Bit for bit: zeros have their signs.
void Check(const std::vector<FuseCase>& cases) {
  for (const FuseCase& test : cases) {
    SCOPED_TRACE(test.what);
    Program program(test.opset);
    program.Finish(test.weight(&program));
    EXPECT_EQ(FuseDequantize(&program.builder.graph), !test.form.empty());
    ASSERT_EQ(Form(program.builder.graph), test.form);
    if (test.form.empty()) continue;
    const Floats floats = Dequantized(program.builder.graph);
    for (size_t i = 0; i < floats.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      const float expected = test.element(at / kColumns, at % kColumns);
      ASSERT_EQ(floats[i], expected) << i;
      ASSERT_EQ(std::signbit(floats[i]), std::signbit(expected)) << i;
    }
  }
}

float LowHalf(int64_t i, int64_t j) { return static_cast<float>(ByteAt(i, j) & 15); }

TEST(FuseDequantizeTest, ChoosesTheForm) {
  const auto grouped = [](float zero) {
    return [zero](int64_t i, int64_t j) { return (LowHalf(i, j) - zero) * ScaleAt(i / kGroup, j); };
  };
  const auto by_zeros = [](int64_t i, int64_t j) {
    return (LowHalf(i, j) - static_cast<float>(ZeroAt(i / kGroup, j))) * ScaleAt(i / kGroup, j);
  };
  const auto zeros = [](Program* p, DType dtype) {
    onnx_ops::KnownTensor tensor = {dtype, {kRows / kGroup, 1, kColumns}, {}};
    for (int64_t i = 0; i < kRows / kGroup; ++i)
      for (int64_t j = 0; j < kColumns; ++j) {
        const int64_t zero = ZeroAt(i, j);
        tensor.elements.push_back(dtype == kF32 ? onnx_ops::FromFloat(static_cast<double>(zero)) : zero);
      }
    return p->builder.Constant("zeros", tensor);
  };
  Check({
      {"groups", [](Program* p) { return p->Scaled(p->Mask(p->Bytes())); }, "uint4[32,36] axis 0 of 8", grouped(0)},
      {"less 8, as an integer",
       [](Program* p) {
         return p->Scaled(p->Like("Sub", p->Cast(p->Mask(p->Bytes()), DType::kInt8), p->Number(8, DType::kInt8)));
       },
       "int4[32,36] axis 0 of 8", grouped(8)},
      {"zero points, as integers",
       [&](Program* p) {
         const ValueId q = p->InGroups(p->Cast(p->Mask(p->Bytes()), DType::kInt8));
         return p->Scaled(p->Joined(p->Like("Sub", q, zeros(p, DType::kInt8))));
       },
       "uint4[32,36] axis 0 of 8, zero points", by_zeros},
      {"zero points, as floats",
       [&](Program* p) {
         const ValueId q = p->InGroups(p->Cast(p->Mask(p->Bytes()), kF32));
         return p->Scaled(p->Joined(p->Like("Sub", q, zeros(p, kF32))));
       },
       "uint4[32,36] axis 0 of 8, zero points", by_zeros},
      {"more bits", [](Program* p) { return p->Scaled(p->Mask(p->Bytes(), 31)); }, "int8[32,36] axis 0 of 8",
       [](int64_t i, int64_t j) { return static_cast<float>(ByteAt(i, j) & 31) * ScaleAt(i / kGroup, j); }},
      {"no blocks yet", [](Program* p) { return p->Scaled(p->Mask(p->Bytes())); }, "", {}, 20},
      {"two bits", [](Program* p) { return p->Scaled(p->Mask(p->Bytes(), 3)); }, "uint2[32,36] axis 0 of 8",
       [](int64_t i, int64_t j) { return static_cast<float>(ByteAt(i, j) & 3) * ScaleAt(i / kGroup, j); }, 25},
      {"a scale for each column",
       [](Program* p) {
         Floats scales;
         for (int64_t j = 0; j < kColumns; ++j) scales.push_back(ScaleAt(0, j));
         return p->Like("Mul", p->Cast(p->Mask(p->Bytes()), kF32), p->Scales({kColumns}, scales));
       },
       "uint4[32,36] axis 1", [](int64_t i, int64_t j) { return LowHalf(i, j) * ScaleAt(0, j); }},
      {"the same before there are 4 bits",
       [](Program* p) {
         Floats scales;
         for (int64_t j = 0; j < kColumns; ++j) scales.push_back(ScaleAt(0, j));
         const ValueId bytes = p->Bytes();
         return p->Like("Mul", p->Cast(bytes, kF32), p->Scales({kColumns}, scales));
       },
       "uint8[32,36] axis 1", [](int64_t i, int64_t j) { return static_cast<float>(ByteAt(i, j)) * ScaleAt(0, j); },
       13},
      {"one scale, with a sign",
       [](Program* p) { return p->Like("Mul", p->Cast(p->Mask(p->Bytes()), kF32), p->Scales({}, {-0.0F})); },
       "uint4[32,36]", [](int64_t i, int64_t j) { return LowHalf(i, j) * -0.0F; }},
  });
}

float HighHalf(int64_t i, int64_t j) { return static_cast<float>(ByteAt(i, j) >> 4); }

// Half as many rows of bytes as the weight has.
ValueId High(Program* p, ValueId bytes) {
  return p->Node("BitShift", {bytes, p->Number(4)}, *p->builder.graph.value(bytes).dims, kU8,
                 {{"direction", {std::string("RIGHT")}}});
}

TEST(FuseDequantizeTest, FollowsWhatMovesElements) {
  const auto interleaved = [](int64_t i, int64_t j) {
    return (i % 2 == 0 ? LowHalf(i / 2, j) : HighHalf(i / 2, j)) * ScaleAt(i / kGroup, j);
  };
  Check({
      {"both halves of bytes, put together",
       [](Program* p) {
         const ValueId bytes = p->Bytes(kRows / 2);
         const std::vector<int64_t> apart = {kRows / 2, 1, kColumns};
         const ValueId both = p->Node("Concat", {p->Reshape(p->Mask(bytes), apart), p->Reshape(High(p, bytes), apart)},
                                      {kRows / 2, 2, kColumns}, kU8, {{"axis", {int64_t{1}}}});
         return p->Scaled(p->Joined(both));
       },
       "uint4[32,36] axis 0 of 8", interleaved},
      {"both halves, written to every second row",
       [](Program* p) {
         const ValueId bytes = p->Bytes(kRows / 2);
         ValueId all =
             p->Node("Expand", {p->Number(0), p->builder.Ints("", {kRows, kColumns})}, {kRows, kColumns}, kU8);
         for (int64_t half = 0; half < 2; ++half) {
           onnx_ops::KnownTensor rows = {DType::kInt64, {kRows / 2, kColumns}, {}};
           for (int64_t i = 0; i < kRows / 2 * kColumns; ++i)
             rows.elements.push_back(i / kColumns * 2 + half - (half * kRows));
           all = p->Node("ScatterElements",
                         {all, p->builder.Constant("", rows), half == 0 ? p->Mask(bytes) : High(p, bytes)},
                         {kRows, kColumns}, kU8, {{"axis", {int64_t{0}}}});
         }
         return p->Scaled(all);
       },
       "uint4[32,36] axis 0 of 8", interleaved},
      {"columns in another order",
       [](Program* p) {
         std::vector<int64_t> order;
         for (int64_t j = 0; j < kColumns; ++j) order.push_back(j ^ 1);
         return p->Scaled(p->Node("Gather", {p->Mask(p->Bytes()), p->builder.Ints("", order)}, {kRows, kColumns}, kU8,
                                  {{"axis", {int64_t{1}}}}));
       },
       "uint4[32,36] axis 0 of 8", [](int64_t i, int64_t j) { return LowHalf(i, j ^ 1) * ScaleAt(i / kGroup, j); }},
      {"transposed, and a part of it",
       [](Program* p) {
         const ValueId turned = p->Node("Transpose", {p->Mask(p->Bytes(kColumns, kRows + 8))}, {kRows + 8, kColumns},
                                        kU8, {{"perm", IntList({1, 0})}});
         return p->Scaled(p->Node(
             "Slice", {turned, p->builder.Ints("", {8}), p->builder.Ints("", {kRows + 8}), p->builder.Ints("", {0})},
             {kRows, kColumns}, kU8));
       },
       "uint4[32,36] axis 0 of 8", [](int64_t i, int64_t j) { return LowHalf(j, i + 8) * ScaleAt(i / kGroup, j); }},
      {"scales by an index for each row",
       [](Program* p) {
         std::vector<int64_t> groups;
         for (int64_t i = 0; i < kRows; ++i) groups.push_back(i / kGroup);
         const ValueId scales =
             p->Node("Gather", {p->GroupScales(), p->builder.Ints("", groups)}, {kRows, 1, kColumns}, kF32);
         return p->Like("Mul", p->Cast(p->Mask(p->Bytes()), kF32), p->Joined(scales));
       },
       "uint4[32,36] axis 0 of 8", [](int64_t i, int64_t j) { return LowHalf(i, j) * ScaleAt(i / kGroup, j); }},
      {"scales that are repeated",
       [](Program* p) {
         const ValueId scales = p->Node("Tile", {p->GroupScales(), p->builder.Ints("", {1, kGroup, 1})},
                                        {kRows / kGroup, kGroup, kColumns}, kF32);
         return p->Like("Mul", p->Cast(p->Mask(p->Bytes()), kF32), p->Joined(scales));
       },
       "uint4[32,36] axis 0 of 8", [](int64_t i, int64_t j) { return LowHalf(i, j) * ScaleAt(i / kGroup, j); }},
  });
}

struct StayCase {
  std::string what;
  std::string why;  // it stays, as the remark says; empty: nothing is near
  std::function<ValueId(Program* program)> weight;
};

TEST(FuseDequantizeTest, LeavesWhatItWouldChange) {
  const auto scaled_by = [](float scale) {
    return [scale](Program* p) {
      Floats scales(kColumns, 0.5F);
      scales[3] = scale;
      return p->Like("Mul", p->Cast(p->Mask(p->Bytes()), kF32), p->Scales({kColumns}, scales));
    };
  };
  const auto less = [](double zero) {
    return [zero](Program* p) {
      return p->Scaled(p->Like("Sub", p->Cast(p->Mask(p->Bytes()), kF32), p->Number(onnx_ops::FromFloat(zero), kF32)));
    };
  };
  const std::string not_integers = "what is multiplied by its scales are not all integers from -255 to 255";
  const std::string not_read = "no product of matrices reads it as it is";
  const std::string larger = "the model would become larger, or something else needs what is packed";
  const std::vector<StayCase> cases = {
      {"a scale without end", "a scale is infinite or NaN", scaled_by(kInfinity)},
      {"a scale that is no number", "a scale is infinite or NaN", scaled_by(std::numeric_limits<float>::quiet_NaN())},
      {"a zero point between integers", not_integers, less(7.5)},
      {"a zero with a sign", not_integers, less(-0.0)},
      {"beyond 8 bits", not_integers,
       [](Program* p) {
         const ValueId wide = p->Like("Mul", p->Cast(p->Bytes(), DType::kInt32), p->Number(2, DType::kInt32));
         return p->Scaled(wide);
       }},
      {"rows of groups that are mixed", "its scales do not follow one axis from block to block, as in activation order",
       [](Program* p) {
         std::vector<int64_t> groups;
         for (int64_t i = 0; i < kRows; ++i) groups.push_back(i % (kRows / kGroup));
         const ValueId scales =
             p->Node("Gather", {p->GroupScales(), p->builder.Ints("", groups)}, {kRows, 1, kColumns}, kF32);
         return p->Like("Mul", p->Cast(p->Mask(p->Bytes()), kF32), p->Joined(scales));
       }},
      {"scales of each run", not_read,
       [](Program* p) {
         const ValueId scales = p->builder.Input("s", {kColumns});
         return p->Like("Mul", p->Cast(p->Mask(p->Bytes()), kF32), scales);
       }},
      {"what is packed is needed", larger,
       [](Program* p) {
         const ValueId bytes = p->Bytes();
         p->builder.Output(p->Like("BitwiseOr", bytes, p->Number(1)));
         return p->Scaled(p->Mask(bytes));
       }},
      {"two products, which round twice", not_read,
       [](Program* p) { return p->Like("Mul", p->Scaled(p->Mask(p->Bytes())), p->Scales({}, {0.1F})); }},
      {"a sum behind the product", not_read,
       [](Program* p) { return p->Like("Add", p->Scaled(p->Mask(p->Bytes())), p->Scales({}, {0.1F})); }},
      {"rows written twice", "",
       [](Program* p) {
         const ValueId masked = p->Mask(p->Bytes());
         onnx_ops::KnownTensor rows = {DType::kInt64, {kRows, kColumns}, std::vector<int64_t>(kRows * kColumns)};
         return p->Scaled(p->Node("ScatterElements", {masked, p->builder.Constant("", rows), masked}, {kRows, kColumns},
                                  kU8, {{"axis", {int64_t{0}}}}));
       }},
      {"more elements than there is time for", larger,
       [](Program* p) {
         constexpr int64_t kMany = int64_t{1} << 20;
         const ValueId all =
             p->Node("Expand", {p->Number(3), p->builder.Ints("", {kMany, kMany})}, {kMany, kMany}, kU8);
         return p->Like("Mul", p->Cast(all, kF32), p->Scales({}, {0.5F}));
       }},
      {"more steps than are followed", "",
       [](Program* p) {
         ValueId masked = p->Mask(p->Bytes());
         for (int i = 0; i < 150; ++i) masked = p->Like("Sub", p->Like("Add", masked, p->Number(1)), p->Number(1));
         return p->Scaled(masked);
       }},
      // 15 + 250 is no bfloat16: it is rounded to 264 or 266, and what is left of 15 is 14 or 16.
      {"sums that are rounded", not_integers,
       [](Program* p) {
         constexpr DType kBf16 = DType::kBFloat16;
         const ValueId most = p->Cast(p->Number(250), kBf16);
         const ValueId q = p->Cast(p->Mask(p->Bytes()), kBf16);
         const ValueId scale = p->builder.Weight("scale", {}, AsBytes(std::vector<uint16_t>{0x3f80}), kBf16);
         return p->Like("Mul", p->Like("Sub", p->Like("Add", q, most), most), scale);
       }},
  };
  for (const StayCase& test : cases) {
    SCOPED_TRACE(test.what);
    Program program(21);
    program.Finish(test.weight(&program));
    const std::string before = Body(program.builder.graph);
    EXPECT_FALSE(FuseDequantize(&program.builder.graph));
    EXPECT_EQ(Body(program.builder.graph), before);
    const std::string why = WhyNoDequantize(program.builder.graph);
    EXPECT_EQ(why.empty() ? "" : why.substr(why.find(", but ") + 6), test.why);
  }
}

// A weight of a Gemm that transposes it is stored transposed, if no other node wants it as it was.
TEST(FuseDequantizeTest, TransposesForGemm) {
  for (const bool shared : {false, true}) {
    Program program(21);
    const ValueId weight = program.Scaled(program.Mask(program.Bytes()));
    const ValueId x = program.builder.Input("x", {2, kColumns});
    program.builder.Output(program.Node("Gemm", {x, weight}, {2, kRows}, kF32, {{"transB", {int64_t{1}}}}));
    if (shared) program.Finish(weight);
    ASSERT_TRUE(FuseDequantize(&program.builder.graph));
    EXPECT_EQ(Form(program.builder.graph), shared ? "uint4[32,36] axis 0 of 8" : "uint4[36,32] axis 1 of 8");
    const ir::Node& gemm = *FindNode(program.builder.graph, "Gemm");
    EXPECT_EQ(IntAttribute(gemm, "transB", 0), shared ? 1 : 0);
    EXPECT_EQ(InputAt(gemm, 1), FindNode(program.builder.graph, "DequantizeLinear")->outputs[0]);
    const Floats floats = Dequantized(program.builder.graph);
    const auto [i, j] = std::pair<int64_t, int64_t>{9, 5};
    EXPECT_EQ(floats[static_cast<size_t>(shared ? i * kColumns + j : j * kRows + i)],
              LowHalf(i, j) * ScaleAt(i / kGroup, j));
  }
}

// The names of weights that are made of others: apply-weights reads these names.
TEST(FuseDequantizeTest, NamesWeights) {
  Program program(21);
  program.Finish(program.Scaled(program.Mask(program.Bytes())));
  ASSERT_TRUE(FuseDequantize(&program.builder.graph));
  std::vector<std::string> names;
  for (const ir::Weight& weight : program.builder.graph.weights) names.push_back(weight.name);
  EXPECT_EQ(names, (std::vector<std::string>{"packed.uint4", "scales.uint4_scale"}));
}

}  // namespace
}  // namespace onnxport::passes::fuse_dequantize_test
