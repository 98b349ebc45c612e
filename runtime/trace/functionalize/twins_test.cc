#include "runtime/trace/functionalize/twins.h"

#include <string_view>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace onnxport::functionalize::twins_test {
namespace {

using testing::ElementsAre;

std::string TwinOf(std::string_view op) {
  const ir::AtenSchema* schema = ir::FindAtenSchema(op);
  if (schema == nullptr) return "unknown";
  const Twin twin = FindTwin(*schema);
  return twin.schema == nullptr ? "none" : twin.schema->name.text();
}

TEST(Twins, OfWritingCalls) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"aten::relu_", "aten::relu"},
      {"aten::add_.Tensor", "aten::add.Tensor"},
      {"aten::add_.Scalar", "aten::add.Scalar"},
      {"aten::add.out", "aten::add.Tensor"},
      {"aten::clamp_", "aten::clamp"},
      {"aten::clamp_.Tensor", "aten::clamp.Tensor"},
      {"aten::dropout_", "aten::dropout"},  // `self` there, `input` here
      {"aten::hardswish_", "aten::hardswish"},
      {"aten::index_put_", "aten::index_put"},
      {"aten::masked_fill_.Scalar", "aten::masked_fill.Scalar"},
      {"aten::scatter_.value", "aten::scatter.value"},
      {"aten::__iand__.Tensor", "aten::__and__.Tensor"},
      {"aten::sum.IntList_out", "aten::sum.dim_IntList"},
      {"aten::max.dim_max", "aten::max.dim"},
      {"aten::normal_", "aten::normal_functional"},
      {"aten::bernoulli_.float", "aten::bernoulli.p"},
      {"aten::arange.out", "aten::arange"},
      {"aten::arange.start_out", "aten::arange.start_step"},
      {"aten::full.out", "aten::full"},
      {"aten::randn.generator_out", "aten::randn.generator"},
      {"aten::remainder.Tensor_out", "aten::remainder.Tensor"},
      {"aten::hstack.out", "aten::hstack"},
      {"aten::fill_diagonal_", "functional::fill_diagonal"},
      {"aten::relu", "none"},
      {"aten::_native_batch_norm_legit", "aten::_native_batch_norm_legit_functional"},
      {"aten::batch_norm", "aten::_native_batch_norm_legit_functional"},  // in training mode
      {"aten::_foreach_add_.Scalar", "none"},
  };
  for (const auto& [op, twin] : cases) EXPECT_EQ(TwinOf(op), twin) << op;
}

TEST(Twins, PositionsOfOutForms) {
  const Twin twin = FindTwin(*ir::FindAtenSchema("aten::max.dim_max"));
  EXPECT_THAT(twin.written, ElementsAre(3, 4));
  EXPECT_THAT(twin.passed, ElementsAre(0, 1, 2));
}

TEST(Twins, OwnResultsComeFirst) {
  const Twin twin = FindTwin(*ir::FindAtenSchema("aten::_native_batch_norm_legit"));
  EXPECT_EQ(twin.results, 3u);
  EXPECT_THAT(twin.written, ElementsAre(3, 4));
  EXPECT_EQ(FindTwin(*ir::FindAtenSchema("aten::batch_norm")).results, 1u);
  EXPECT_EQ(FindTwin(*ir::FindAtenSchema("aten::relu_")).results, 0u);
}

}  // namespace
}  // namespace onnxport::functionalize::twins_test
