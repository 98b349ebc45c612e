// Weights that are computed while they are written.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include "runtime/model/passes/weights/byte_layout.h"
#include "runtime/model/passes/weights/converted_tensor.h"
#include "runtime/model/passes/weights/fold_batch_norms.h"
#include "runtime/model/passes/weights/fold_weight_norms.h"
#include "runtime/model/passes/weights/scaled_tensor.h"
#include "runtime/model/passes/weights/transpose_weights.h"
#include "runtime/model/passes/weights/transposed_tensor.h"
#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::weights_test {
namespace {

using ir::Dims;
using ir::DType;
using ir::ValueId;
using Data = std::shared_ptr<const ir::TensorData>;
using Random = std::mt19937;

int Draw(int least, int most, Random* random) { return std::uniform_int_distribution(least, most)(*random); }

// Bytes in pieces of random sizes, small or large ones, which need not be whole elements.
class PiecewiseBytes : public ir::TensorBytes {
 public:
  PiecewiseBytes(std::string bytes, unsigned seed) : bytes_(std::move(bytes)), seed_(seed) {}
  void Stream(const std::function<void(std::span<const std::byte>)>& sink) const override {
    Random random(seed_);
    for (size_t at = 0; at < bytes_.size();) {
      const size_t size = std::min<size_t>(Draw(1, seed_ % 2 == 0 ? 70 : 5000, &random), bytes_.size() - at);
      sink(std::as_bytes(std::span(bytes_).subspan(at, size)));
      at += size;
    }
  }

 private:
  std::string bytes_;
  unsigned seed_;
};

Data RandomTensor(DType dtype, const std::vector<int64_t>& shape, Random* random) {
  const int64_t count = std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
  std::string bytes;
  for (int64_t i = 0; i < count * ir::ByteSize(dtype); ++i) bytes += static_cast<char>(Draw(0, 255, random));
  auto data = std::make_shared<ir::TensorData>();
  data->dtype = dtype;
  data->shape = shape;
  data->bytes = std::make_shared<PiecewiseBytes>(std::move(bytes), (*random)());
  return data;
}

// Element by element.
std::string Transposed(const ir::TensorData& data, const std::vector<int64_t>& perm) {
  const std::string bytes = BytesOf(data);
  const auto item = static_cast<size_t>(ir::ByteSize(data.dtype));
  std::vector<int64_t> strides(data.shape.size(), 1);
  for (size_t axis = strides.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * data.shape[axis];
  std::string result;
  std::vector<int64_t> index(perm.size());
  for (size_t i = 0; i < bytes.size() / item; ++i) {
    int64_t from = 0;
    for (size_t axis = 0; axis < perm.size(); ++axis) from += index[axis] * strides[perm[axis]];
    result += bytes.substr(static_cast<size_t>(from) * item, item);
    for (size_t axis = perm.size(); axis-- > 0 && ++index[axis] == data.shape[perm[axis]];) index[axis] = 0;
  }
  return result;
}

TEST(TransposedTensorTest, IsWhatElementsSay) {
  Random random(1);
  int done = 0;
  for (int round = 0; round < 400; ++round) {
    std::vector<int64_t> shape(static_cast<size_t>(Draw(0, 4, &random)));
    for (int64_t& size : shape) size = Draw(0, 9, &random) == 0 ? 0 : Draw(1, 20, &random);
    std::vector<int64_t> perm(shape.size());
    std::iota(perm.begin(), perm.end(), 0);
    std::ranges::shuffle(perm, random);
    const DType dtypes[] = {DType::kUInt8, DType::kFloat16, DType::kFloat32, DType::kFloat64, DType::kComplex128};
    const Data data = RandomTensor(dtypes[Draw(0, 4, &random)], shape, &random);
    const TransposeLimits limits = {.held = Draw(0, 1, &random) == 0 ? 1 << 20 : Draw(400, 4000, &random),
                                    .readings = 1000};
    const Data result = TransposedTensor(data, perm, limits);
    if (result == nullptr) continue;
    ++done;
    ASSERT_EQ(BytesOf(*result), Transposed(*data, perm)) << round;
    for (size_t axis = 0; axis < perm.size(); ++axis) EXPECT_EQ(result->shape[axis], shape[perm[axis]]);
  }
  EXPECT_GT(done, 200);
}

std::string PartOf(const ir::TensorBytes& bytes, int64_t begin, int64_t size) {
  std::string part;
  bytes.StreamRange(begin, size, [&part](std::span<const std::byte> piece) {
    part.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  });
  return part;
}

// A tensor computed from weights gives each of its ranges with the same bytes as all of it.
TEST(TensorBytesTest, RangesAreParts) {
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    const std::vector<int64_t> shape = {Draw(1, 40, &random), Draw(1, 40, &random)};
    const DType dtype = round % 2 == 0 ? DType::kFloat32 : DType::kFloat64;
    Data source = RandomTensor(dtype, shape, &random);
    if (round % 3 == 0) source = ir::MakeTensor(dtype, shape, BytesOf(*source));
    std::vector<double> factors(static_cast<size_t>(shape[1]));
    std::iota(factors.begin(), factors.end(), 0.5);
    const ByteLayout whole = WholeTensor(0, *source);
    const auto rows = SliceLayout(whole, 0, shape[0] / 2, shape[0]);
    const Data made[] = {
        source,
        TransposedTensor(source, {1, 0}, {.held = 1000, .readings = 1000}),
        ScaledTensor(source, factors, 1),
        ConvertedTensor(source, dtype == DType::kFloat32 ? DType::kFloat16 : DType::kFloat32),
        AssembleTensor(*ConcatLayouts({&*rows, &whole}, 0), {source}),
    };
    for (const Data& data : made) {
      const std::string all = BytesOf(*data);
      const int64_t begin = Draw(0, static_cast<int>(all.size()), &random);
      const int64_t size = Draw(0, static_cast<int>(all.size() - static_cast<size_t>(begin)), &random);
      EXPECT_EQ(PartOf(*data->bytes, begin, size), all.substr(static_cast<size_t>(begin), static_cast<size_t>(size)));
    }
  }
}

TEST(TransposedTensorTest, KeepsItsLimits) {
  Random random(2);
  const Data data = RandomTensor(DType::kFloat32, {8, 16}, &random);
  EXPECT_NE(TransposedTensor(data, {1, 0}, {.held = 64, .readings = 8}), nullptr);
  EXPECT_EQ(TransposedTensor(data, {1, 0}, {.held = 64, .readings = 7}), nullptr);
  EXPECT_EQ(TransposedTensor(data, {1, 0}, {.held = 63, .readings = 8}), nullptr);  // not one row
  EXPECT_EQ(TransposedTensor(RandomTensor(DType::kUInt8, {2, 3, 4}, &random), {2, 1, 0}), nullptr);
}

// Who writes it tells that bytes are missing.
TEST(TransposedTensorTest, GivesNothingOfATensorThatIsTooShort) {
  const Data data = ir::MakeTensor(DType::kUInt8, {2, 3}, "abcde");
  EXPECT_EQ(BytesOf(*TransposedTensor(data, {1, 0})), "");
}

TEST(TransposeWeightsTest, ThatNothingElseUses) {
  GraphBuilder b;
  const ValueId x = b.Input("x", {5, 2});
  const ValueId w = b.Weight("w", {3, 2}, "abcdef", DType::kUInt8);
  const ValueId v = b.Weight("v", {3, 2}, "ABCDEF", DType::kUInt8);
  const ValueId wt = b.Node("Transpose", {w}, "wt", {2, 3}, DType::kUInt8);
  const ValueId vt = b.Node("Transpose", {v}, "vt", {2, 3}, DType::kUInt8, {{"perm", IntList({1, 0})}});
  b.Output(b.Node("F", {x, wt, vt, v}, "y", {5, 3}));
  EXPECT_TRUE(TransposeWeights(&b.graph));
  EXPECT_EQ(Body(b.graph),
            "%vt: uint8[2, 3] = Transpose(%v, perm=[1, 0])\n"
            "%y: float32[5, 3] = F(%x, %wt, %vt, %v)\n"
            "output out0 = %y\n");
  EXPECT_EQ(b.graph.weights[0].name, "w.T");
  EXPECT_EQ(b.graph.weights[0].value, wt);
  EXPECT_EQ(b.graph.weights[0].data->shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(BytesOf(*b.graph.weights[0].data), "acebdf");
  EXPECT_EQ(b.graph.weights[1].value, v);
  EXPECT_FALSE(TransposeWeights(&b.graph));
}

TEST(TransposeWeightsTest, OutputsStay) {
  GraphBuilder b;
  b.Output(b.Node("Transpose", {b.Weight("w", {3, 2}, "abcdef", DType::kUInt8)}, "y", {2, 3}, DType::kUInt8));
  EXPECT_FALSE(TransposeWeights(&b.graph));
}

template <typename T>
void CheckScaled(DType dtype) {
  Random random(3);
  std::normal_distribution<T> normal;
  for (const int64_t inner : {1, 3, 500, 9000}) {
    const int64_t rows = 7;
    std::vector<T> elements(static_cast<size_t>(rows * inner));
    for (T& element : elements) element = normal(random);
    std::vector<double> factors(rows);
    for (double& factor : factors) factor = normal(random);
    auto data = std::make_shared<ir::TensorData>();
    data->dtype = dtype;
    data->shape = {rows, 1, inner};
    data->bytes = std::make_shared<PiecewiseBytes>(AsBytes(elements), 4);
    std::vector<T> expected;
    for (size_t i = 0; i < elements.size(); ++i) {
      expected.push_back(static_cast<T>(elements[i] * factors[i / static_cast<size_t>(inner)]));
    }
    EXPECT_TRUE(BytesOf(*ScaledTensor(data, factors, 0)) == AsBytes(expected)) << inner;
    EXPECT_EQ(ReadFloats(*data, rows * inner), std::vector<double>(elements.begin(), elements.end()));
    EXPECT_FALSE(ReadFloats(*data, rows * inner - 1));
  }
}

TEST(ScaledTensorTest, RoundsOnce) {
  CheckScaled<float>(DType::kFloat32);
  CheckScaled<double>(DType::kFloat64);
}

struct NormCase {
  const char* why;
  std::vector<float> scale = {3, -1};
  std::vector<float> variance = {8, 0.25};
  std::vector<ir::Attribute> attributes = {{"epsilon", {1.0}}};
  bool weight_used_twice = false;
  bool result_used_twice = false;
  bool folded = false;
};

void CheckNorm(const NormCase& test) {
  SCOPED_TRACE(test.why);
  GraphBuilder b;
  const auto vec = [&b](const char* name, const std::vector<float>& elements) {
    return b.Weight(name, {static_cast<int64_t>(elements.size())}, AsBytes(elements));
  };
  const ValueId w = b.Weight("conv.weight", {2, 1, 2}, AsBytes<float>({1, 2, 3, 4}));
  const std::vector<ValueId> norm = {vec("bn.weight", test.scale), vec("bn.bias", {10, 20}), vec("bn.mean", {2, 4}),
                                     vec("bn.var", test.variance)};
  const ValueId conv = b.Node("Conv", {b.Input("x", {1, 1, 9}), w, vec("conv.bias", {5, 6})}, "conv", {1, 2, 8});
  b.Output(b.Node("BatchNormalization", {conv, norm[0], norm[1], norm[2], norm[3]}, "y", {1, 2, 8}, DType::kFloat32,
                  test.attributes));
  if (test.weight_used_twice) b.Output(w);
  if (test.result_used_twice) b.Output(b.Node("Relu", {conv}, "z", {1, 2, 8}));
  EXPECT_EQ(FoldBatchNorms(&b.graph), test.folded);
  EXPECT_EQ(b.graph.body.nodes[0].outputs[0] == *b.graph.body.outputs[0].value(), test.folded);
  EXPECT_EQ(BytesOf(*b.graph.weights[0].data),
            test.folded ? AsBytes<float>({1, 2, -3, -4}) : AsBytes<float>({1, 2, 3, 4}));
  if (!test.folded) return;
  EXPECT_EQ(b.graph.body.nodes.size(), 1u);
  EXPECT_EQ(b.graph.weights.size(), 2u);
  EXPECT_EQ(b.graph.weights[0].name, "conv.weight+bn.weight");
  EXPECT_EQ(b.graph.weights.back().name, "conv.bias+bn.mean+bn.bias");
  EXPECT_EQ(BytesOf(*b.graph.weights.back().data), AsBytes<float>({(5 - 2) * 1 + 10, (6 - 4) * -1 + 20}));
}

TEST(FoldBatchNormsTest, WhereNothingIsLost) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CheckNorm({.why = "folds", .variance = {8, 0}, .folded = true});
  CheckNorm({.why = "the weight is used elsewhere", .variance = {8, 0}, .weight_used_twice = true});
  CheckNorm({.why = "the result is used elsewhere", .variance = {8, 0}, .result_used_twice = true});
  CheckNorm({.why = "no number", .variance = {8, -2}});
  CheckNorm({.why = "no number", .variance = {nan, 0}});
  CheckNorm({.why = "infinite", .variance = {8, -1}});
  CheckNorm({.why = "huge", .scale = {3, 1e30F}});
  CheckNorm({.why = "tiny", .scale = {3, 1e-30F}});
  CheckNorm({.why = "other channels", .scale = {3}});
  CheckNorm({.why = "training", .attributes = {{"training_mode", {int64_t{1}}}}});
}

TEST(FoldBatchNormsTest, OneBehindTheOther) {
  GraphBuilder b;
  const auto vec = [&b](const char* name, const std::vector<float>& elements) {
    return b.Weight(name, {static_cast<int64_t>(elements.size())}, AsBytes(elements));
  };
  ValueId x = b.Node("Conv", {b.Input("x", {1, 1, 9}), b.Weight("w", {2, 1, 2}, AsBytes<float>({1, 2, 3, 4}))}, "conv",
                     {1, 2, 8});
  for (const char* name : {"first", "second"}) {
    x = b.Node("BatchNormalization",
               {x, vec("scale", {2, 4}), vec("bias", {1, 0}), vec("mean", {0, 0}), vec("v", {0, 0})}, name, {1, 2, 8},
               DType::kFloat32, {{"epsilon", {1.0}}});
  }
  b.Output(x);
  EXPECT_TRUE(FoldBatchNorms(&b.graph));
  ASSERT_EQ(b.graph.body.nodes.size(), 1u);
  ASSERT_EQ(b.graph.weights.size(), 2u);
  EXPECT_EQ(BytesOf(*b.graph.weights[0].data), AsBytes<float>({4, 8, 48, 64}));
  EXPECT_EQ(BytesOf(*b.graph.weights[1].data), AsBytes<float>({3, 0}));
}

TEST(ScaledTensorTest, ScalesAnInnerAxis) {
  const Data data = ir::MakeTensor(DType::kFloat32, {2, 2, 2}, AsBytes<float>({1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(BytesOf(*ScaledTensor(data, {1, 10}, 1)), AsBytes<float>({1, 2, 30, 40, 5, 6, 70, 80}));
  EXPECT_EQ(SumsOfSquares(*data, 1), (std::vector<double>{1 + 4 + 25 + 36, 9 + 16 + 49 + 64}));
}

// Channels are the second axis of a transposed convolution, and of a matrix that is not transposed.
TEST(FoldBatchNormsTest, OfWhatIsLinear) {
  struct Row {
    const char* op;
    ir::Attribute attribute;
    std::vector<int64_t> shape;
    std::vector<float> expected;  // empty: left alone
  };
  const Row kRows[] = {
      {"ConvTranspose", {"group", {int64_t{1}}}, {2, 2, 1}, {3, -4, 9, -8}},
      {"ConvTranspose", {"group", {int64_t{2}}}, {2, 1, 2}, {}},
      {"Gemm", {"transB", {int64_t{1}}}, {2, 2}, {3, 6, -6, -8}},
      {"Gemm", {"transB", {int64_t{0}}}, {2, 2}, {3, -4, 9, -8}},
      {"Gemm", {"alpha", {2.0}}, {2, 2}, {}},
      {"Gemm", {"beta", {0.5}}, {2, 2}, {}},
      {"MatMul", {"none", {int64_t{0}}}, {2, 2}, {}},
  };
  for (const Row& row : kRows) {
    GraphBuilder b;
    const auto vec = [&b](const char* name, float x, float y) { return b.Weight(name, {2}, AsBytes<float>({x, y})); };
    const ir::Dims dims = row.shape.size() == 3 ? ir::Dims{2, 2, 2} : ir::Dims{2, 2};
    const ValueId w = b.Weight("w", row.shape, AsBytes<float>({1, 2, 3, 4}));
    const ValueId y = b.Node(row.op, {b.Input("x", dims), w}, "y", dims, DType::kFloat32, {row.attribute});
    b.Output(b.Node("BatchNormalization", {y, vec("s", 3, 2), vec("b", 0, 0), vec("m", 0, 0), vec("v", 0, 0)}, "z",
                    dims, DType::kFloat32, {{"epsilon", {1.0}}}));
    b.graph.weights[1].data = ir::MakeTensor(DType::kFloat32, {2}, AsBytes<float>({3, -2}));
    EXPECT_EQ(FoldBatchNorms(&b.graph), !row.expected.empty()) << row.op;
    if (row.expected.empty()) continue;
    EXPECT_EQ(BytesOf(*b.graph.weights[0].data), AsBytes(row.expected)) << row.op;
    EXPECT_EQ(b.graph.body.nodes.size(), 1u);
    EXPECT_EQ(b.graph.body.nodes[0].inputs.size(), 3u);
  }
}

TEST(FoldWeightNormsTest, WhereNothingElseUsesTheWeight) {
  for (const char* why : {"", "used", "zero", "all axes", "other axis"}) {
    SCOPED_TRACE(why);
    const std::string_view is = why;
    GraphBuilder b;
    const ValueId v =
        b.Weight("v", {2, 2}, AsBytes<float>({3, 4, is == "zero" ? 0.0F : 6.0F, is == "zero" ? 0.0F : 8.0F}));
    const ValueId g = b.Weight("g", {2, 1}, AsBytes<float>({10, -1}));
    const ValueId axes = b.Ints(
        "axes", is == "all axes" ? std::vector<int64_t>{0, 1} : std::vector<int64_t>{is == "other axis" ? 0 : -1});
    b.graph.value(axes).contents = is == "all axes" ? Dims{0, 1} : Dims{is == "other axis" ? 0 : -1};
    const ValueId norm = b.Node("ReduceL2", {v, axes}, "norm", {2, 1});
    const ValueId w = b.Node("Mul", {v, b.Node("Div", {g, norm}, "ratio", {2, 1})}, "w", {2, 2});
    b.Output(b.Node("MatMul", {b.Input("x", {2, 2}), w}, "y", {2, 2}));
    if (is == "used") b.Output(v);
    EXPECT_EQ(FoldWeightNorms(&b.graph), is.empty());
    if (!is.empty()) continue;
    EXPECT_EQ(Body(b.graph), "%y: float32[2, 2] = MatMul(%x, %w)\noutput out0 = %y\n");
    ASSERT_EQ(b.graph.weights.size(), 1u);
    EXPECT_EQ(b.graph.weights[0].name, "v+g");
    EXPECT_EQ(BytesOf(*b.graph.weights[0].data), AsBytes<float>({6, 8, -0.6F, -0.8F}));
  }
}

}  // namespace
}  // namespace onnxport::passes::weights_test
