#include "codegen/model/onnx_ops.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace onnxport::codegen {
namespace {

TEST(OnnxOps, TheNewestOpsetIsTheLibrarys) {
  EXPECT_GE(LastOpset(), 20);
  EXPECT_EQ(FirstOpset(), 7);
}

TEST(OnnxOps, FormsAreThoseOfTheOpsets) {
  const auto forms = FormsOf("ReduceSum");
  ASSERT_GE(forms.size(), 3u);
  EXPECT_EQ(forms[0]->since, 1);
  EXPECT_EQ(forms[1]->since, 11);
  EXPECT_EQ(forms[2], FindOp("ReduceSum", 13));
  EXPECT_TRUE(FormsOf("NoSuchOperator").empty());
}

TEST(OnnxOps, NamesAreOfTheDefaultDomain) {
  EXPECT_EQ(std::ranges::count(OpNames(), "Relu"), 1);
  EXPECT_EQ(std::ranges::count(OpNames(), "ai.onnx.ml.Scaler"), 0);
  EXPECT_EQ(std::ranges::count(OpNames(), "Scaler"), 0);
}

}  // namespace
}  // namespace onnxport::codegen
