#include "codegen/check/onnx_schemas.h"

#include <gtest/gtest.h>

namespace onnxport::codegen {
namespace {

using ir::DType;

TEST(OnnxSchemas, AxesOfReduceSumMovedAtOpset13) {
  const OnnxSchema* before = FindOnnxSchema("ReduceSum", 12);
  const OnnxSchema* after = FindOnnxSchema("ReduceSum", 13);
  ASSERT_TRUE(before && after);
  EXPECT_NE(before->FindAttribute("axes"), nullptr);
  EXPECT_EQ(before->FindInput("axes"), -1);
  EXPECT_EQ(after->FindAttribute("axes"), nullptr);
  EXPECT_EQ(after->FindInput("axes"), 1);
}

TEST(OnnxSchemas, ReluTakesIntsFromOpset14) {
  EXPECT_FALSE(FindOnnxSchema("Relu", 13)->inputs[0].dtypes.Has(DType::kInt64));
  EXPECT_TRUE(FindOnnxSchema("Relu", 14)->inputs[0].dtypes.Has(DType::kInt64));
}

TEST(OnnxSchemas, NothingBeforeTheFirstVersion) {
  EXPECT_EQ(FindOnnxSchema("Gelu", 19), nullptr);
  EXPECT_NE(FindOnnxSchema("Gelu", 20), nullptr);
  EXPECT_EQ(FindOnnxSchema("NoSuchOperator", 20), nullptr);
}

TEST(OnnxSchemas, VariadicInputsGoOn) {
  const OnnxSchema* concat = FindOnnxSchema("Concat", 13);
  EXPECT_EQ(concat->InputAt(40)->name, "inputs");
  EXPECT_EQ(FindOnnxSchema("Relu", 14)->InputAt(1), nullptr);
}

TEST(OnnxSchemas, TheNewestOpsetIsTheLibrarys) {
  EXPECT_GE(LastOpset(), 20);
  EXPECT_EQ(FirstOpset(), 7);
}

}  // namespace
}  // namespace onnxport::codegen
