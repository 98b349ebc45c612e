#include "runtime/model/passes/packed/expression_reader.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::expression_reader_test {
namespace {

using ir::DType;
using Numbers = std::vector<int64_t>;
using Read = std::optional<Numbers>;

template <typename T>
ExpressionRef Constant(DType dtype, const Numbers& shape, const std::vector<T>& elements) {
  Expression::Constant constant = {ir::MakeTensor(dtype, shape, AsBytes(elements)), ElementMap(shape)};
  return std::make_shared<const Expression>(Expression{dtype, shape, 0, std::move(constant)});
}

ExpressionRef Vector(const std::vector<float>& elements) {
  return Constant(DType::kFloat32, {static_cast<int64_t>(elements.size())}, elements);
}

ExpressionRef Computed(const std::string& op, DType dtype, const std::vector<ExpressionRef>& operands,
                       std::vector<ir::Attribute> attributes = {}) {
  auto node = std::make_shared<ir::Node>();
  node->op = op;
  node->attributes = std::move(attributes);
  return Combined({dtype, operands[0]->shape, 0, Expression::Computed{std::move(node), operands}});
}

ExpressionRef Cast(const ExpressionRef& x, DType to) {
  return Computed("Cast", to, {x}, {{"to", {static_cast<int64_t>(to)}}});
}

TEST(ExpressionReaderTest, ConstantsThatAreIntegers) {
  using U8 = std::vector<uint8_t>;
  EXPECT_EQ(ReadAll(Constant(DType::kUInt8, {2}, U8{0, 255})), (Read{{0, 255}}));
  EXPECT_EQ(ReadAll(Constant(DType::kInt8, {2}, U8{1, 255})), (Read{{1, -1}}));
  EXPECT_EQ(ReadAll(Constant(DType::kBool, {2}, U8{1, 0})), (Read{{1, 0}}));
  EXPECT_EQ(ReadAll(Constant(DType::kUInt32, {1}, std::vector<uint32_t>{1U << 31})), (Read{{int64_t{1} << 31}}));
  EXPECT_EQ(ReadAll(Constant(DType::kInt64, {}, Numbers{-5})), (Read{{-5}}));  // a number has no axis
  EXPECT_EQ(ReadAll(Vector({-3, 0})), (Read{{-3, 0}}));
  EXPECT_EQ(ReadAll(Constant(DType::kFloat64, {1}, std::vector<double>{1e15})), (Read{{1'000'000'000'000'000}}));
  using U16 = std::vector<uint16_t>;
  EXPECT_EQ(ReadAll(Constant(DType::kFloat16, {1}, U16{0xC200})), (Read{{-3}}));
  EXPECT_EQ(ReadAll(Constant(DType::kBFloat16, {1}, U16{0x4040})), (Read{{3}}));
}

TEST(ExpressionReaderTest, ConstantsThatAreNone) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float number : {0.5F, -0.0F, 1e16F, infinity, std::numeric_limits<float>::quiet_NaN()})
    EXPECT_EQ(ReadAll(Vector({1, number})), std::nullopt) << number;
  EXPECT_EQ(ReadAll(Constant(DType::kFloat16, {1}, std::vector<uint16_t>{0x8000})), std::nullopt);
  EXPECT_EQ(ReadAll(Constant(DType::kUInt64, {1}, std::vector<uint64_t>{1})), std::nullopt);
  // The bytes are one float short.
  const ExpressionRef whole = Constant(DType::kFloat32, {3}, std::vector<float>{1, 2});
  EXPECT_THROW(ReadAll(whole), std::exception);
}

TEST(ExpressionReaderTest, ComputesWhatIsExact) {
  const float most = 1 << 24;
  EXPECT_EQ(ReadAll(Computed("Sub", DType::kFloat32, {Vector({most, 4}), Vector({1, 4})})), (Read{{(1 << 24) - 1, 0}}));
  EXPECT_EQ(ReadAll(Computed("Add", DType::kFloat32, {Vector({most}), Vector({0})})), (Read{{1 << 24}}));
  // The sum is no float32.
  EXPECT_EQ(ReadAll(Computed("Add", DType::kFloat32, {Vector({most}), Vector({1})})), std::nullopt);
  // A product of 0 may have a sign.
  EXPECT_EQ(ReadAll(Computed("Mul", DType::kFloat32, {Vector({2}), Vector({3})})), std::nullopt);
  // Integers are wrapped as their dtype is.
  const ExpressionRef bytes = Constant(DType::kUInt8, {2}, std::vector<uint8_t>{255, 3});
  EXPECT_EQ(ReadAll(Computed("Add", DType::kUInt8, {bytes, bytes})), (Read{{254, 6}}));
  EXPECT_EQ(ReadAll(Computed("Softmax", DType::kUInt8, {bytes})), std::nullopt);
}

TEST(ExpressionReaderTest, CastsWhatFits) {
  const ExpressionRef bytes = Constant(DType::kUInt8, {2}, std::vector<uint8_t>{255, 3});
  EXPECT_EQ(ReadAll(Cast(bytes, DType::kInt8)), (Read{{-1, 3}}));
  EXPECT_EQ(ReadAll(Cast(bytes, DType::kBFloat16)), (Read{{255, 3}}));
  EXPECT_EQ(ReadAll(Cast(Vector({255, 3}), DType::kUInt8)), (Read{{255, 3}}));
  // Runtimes differ on a float that is out of range.
  EXPECT_EQ(ReadAll(Cast(Vector({256, 3}), DType::kUInt8)), std::nullopt);
  EXPECT_EQ(ReadAll(Cast(Constant(DType::kInt16, {1}, std::vector<int16_t>{257}), DType::kBFloat16)), std::nullopt);
}

TEST(ExpressionReaderTest, ReadsOnlyWhatIsChosen) {
  const auto chosen = [](std::vector<size_t> choices) {
    const ExpressionRef first = Vector({1, 0.5, 3});
    const ExpressionRef second = Vector({-1, -2, 0.5});
    auto shared = std::make_shared<const std::vector<size_t>>(std::move(choices));
    return ReadAll(Combined({DType::kFloat32, {3}, 0, Expression::Chosen{shared, ElementMap({3}), {first, second}}}));
  };
  EXPECT_EQ(chosen({0, 1, 0}), (Read{{1, -2, 3}}));
  EXPECT_EQ(chosen({1, 1, 0}), (Read{{-1, -2, 3}}));
  EXPECT_EQ(chosen({0, 0, 0}), std::nullopt);
}

TEST(ExpressionReaderTest, ReadsAlongOneAxis) {
  const std::vector<int32_t> elements = {4, 7, 4, 7, 4, 7};
  const ExpressionRef written = Constant(DType::kInt32, {3, 2}, elements);
  EXPECT_EQ(ReadAlong(written, 1), (Read{{4, 7}}));
  EXPECT_EQ(ReadAlong(written, 0), std::nullopt);
  // The same by a map. It is so large that nobody could read all of it.
  const ExpressionRef repeated = Moved(Constant(DType::kInt32, {1, 2}, std::vector<int32_t>{4, 7}),
                                       [](ElementMap* map) { return map->Broadcast({1 << 22, 2}); });
  ASSERT_NE(repeated, nullptr);
  EXPECT_EQ(ReadAlong(repeated, 1), (Read{{4, 7}}));
  EXPECT_EQ(ReadAll(repeated), std::nullopt);
}

TEST(ExpressionReaderTest, RunsAreInOrder) {
  std::vector<int32_t> elements;
  for (int32_t i = 0; i < 2 * 1500; ++i) elements.push_back(i);
  const ExpressionReader reader(Constant(DType::kInt32, {2, 1500}, elements));
  int64_t next = 0;
  EXPECT_TRUE(reader.ForEachRun([&](const ElementRun& run) {
    for (size_t i = 0; i < run.elements.size(); ++i) {
      EXPECT_EQ(run.outer[0] * 1500 + run.first + static_cast<int64_t>(i), next);
      EXPECT_EQ(run.elements[i], next++);
    }
    return true;
  }));
  EXPECT_EQ(next, 3000);
  // The visitor ends it.
  int runs = 0;
  EXPECT_FALSE(reader.ForEachRun([&](const ElementRun&) { return ++runs < 2; }));
  EXPECT_EQ(runs, 2);
}

}  // namespace
}  // namespace onnxport::passes::expression_reader_test
