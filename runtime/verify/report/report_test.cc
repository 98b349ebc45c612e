#include "runtime/verify/report/report.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace onnxport::verify {
namespace {

ort::Tensor Of(std::vector<int64_t> shape, std::initializer_list<float> values) {
  return {.name = "y",
          .dtype = ir::DType::kFloat32,
          .shape = std::move(shape),
          .bytes = std::string(reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(float))};
}

TEST(Judge, SaysWhereAndHowFar) {
  const Verdict same = Judge(Of({2}, {1, 2}), Of({2}, {1, 2}), {});
  EXPECT_TRUE(same.agrees);
  EXPECT_EQ(same.text, "y float32[2]: agrees, max abs error 0, max rel error 0");
  const Verdict other = Judge(Of({2, 2}, {1, 2, 3.5, 4}), Of({2, 2}, {1, 2, 3, 5}), {});
  EXPECT_FALSE(other.agrees);
  EXPECT_EQ(other.text,
            "y float32[2,2] differs: 2 of 4 elements, first at [1,0]: ONNX Runtime gives 3.5, PyTorch 3; max abs error "
            "1, max rel error 0.2");
  EXPECT_EQ(Judge(Of({2}, {1, 2}), Of({1, 2}, {1, 2}), {}).text,
            "y differs: got float32[2], PyTorch gives float32[1,2]");
}

TEST(Judge, TakesTolerancesThatAreGiven) {
  const ort::Tensor actual = Of({1}, {1.01F});
  const ort::Tensor expected = Of({1}, {1});
  EXPECT_FALSE(Judge(actual, expected, {}).agrees);
  EXPECT_TRUE(Judge(actual, expected, {.absolute = 0.02, .relative = {}}).agrees);
  EXPECT_TRUE(Judge(actual, expected, {.absolute = 0, .relative = 0.02}).agrees);
  EXPECT_FALSE(Judge(Of({1}, {1.0001F}), expected, {.absolute = 0, .relative = 1e-6}).agrees);
}

TEST(Judge, ComparesSequencesElementByElement) {
  const auto sequence = [](std::vector<ort::Tensor> elements) {
    return ort::Tensor{
        .name = "y", .dtype = {}, .shape = {}, .bytes = {}, .is_sequence = true, .elements = std::move(elements)};
  };
  const ort::Tensor one = Of({1}, {1});
  EXPECT_TRUE(Judge(sequence({one, one}), sequence({one, one}), {}).agrees);
  EXPECT_FALSE(Judge(sequence({one}), sequence({one, one}), {}).agrees);
  EXPECT_FALSE(Judge(sequence({one}), one, {}).agrees);
  EXPECT_TRUE(
      Judge(sequence({one, Of({1}, {2})}), sequence({one, one}), {}).text.starts_with("y[1] float32[1] differs"));
}

// The absolute tolerance grows with the values, not below 1.
TEST(ToleranceFor, FollowsTheDTypeAndTheMagnitude) {
  EXPECT_DOUBLE_EQ(ToleranceFor(Of({2}, {0.1F, -200}), {}).absolute, 200 * 1e-5);
  EXPECT_DOUBLE_EQ(ToleranceFor(Of({1}, {0.1F}), {}).absolute, 1e-5);
  EXPECT_DOUBLE_EQ(ToleranceFor(Of({1}, {-200}), {.absolute = 1e-7, .relative = {}}).absolute, 1e-7);
  ort::Tensor half = Of({1}, {0});
  half.dtype = ir::DType::kFloat16;
  EXPECT_GT(ToleranceFor(half, {}).relative, ToleranceFor(Of({1}, {0}), {}).relative);
}

}  // namespace
}  // namespace onnxport::verify
