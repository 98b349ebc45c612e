#include "runtime/lowering/types/op_info.h"

#include <gtest/gtest.h>

namespace onnxport::lowering {
namespace {

using ir::DType;

const OpInfo* Find(std::string_view op, int opset) { return OpCatalog(opset).Find(op); }

bool Takes(const OpInfo& op, DType dtype) { return op.VariableOf(op.inputs[0]).allowed.Has(dtype); }

TEST(OpInfo, AxesOfReduceSumMovedAtOpset13) {
  const OpInfo* before = Find("ReduceSum", 12);
  const OpInfo* after = Find("ReduceSum", 13);
  ASSERT_TRUE(before && after);
  EXPECT_NE(before->FindAttribute("axes"), nullptr);
  EXPECT_EQ(before->FindInput("axes"), -1);
  EXPECT_EQ(after->FindAttribute("axes"), nullptr);
  EXPECT_EQ(after->FindInput("axes"), 1);
}

TEST(OpInfo, ReluTakesIntsFromOpset14) {
  EXPECT_FALSE(Takes(*Find("Relu", 13), DType::kInt64));
  EXPECT_TRUE(Takes(*Find("Relu", 14), DType::kInt64));
}

TEST(OpInfo, NothingBeforeTheFirstVersion) {
  EXPECT_EQ(Find("Gelu", 19), nullptr);
  EXPECT_NE(Find("Gelu", 20), nullptr);
  EXPECT_EQ(Find("NoSuchOperator", 20), nullptr);
}

TEST(OpInfo, OneFormIsOneObject) {
  EXPECT_EQ(Find("Gelu", 20), Find("Gelu", 21));
  EXPECT_NE(Find("Relu", 13), Find("Relu", 14));
}

TEST(OpInfo, DeprecatedFormsSaySo) {
  EXPECT_FALSE(Find("Upsample", 9)->deprecated);
  EXPECT_TRUE(Find("Upsample", 10)->deprecated);
}

TEST(OpInfo, VariadicInputsGoOn) {
  EXPECT_EQ(Find("Concat", 13)->input(40)->name, "inputs");
  EXPECT_EQ(Find("Relu", 14)->input(1), nullptr);
}

TEST(OpInfo, SequencesAreNoTensors) {
  const OpInfo* at = Find("SequenceAt", 11);
  EXPECT_TRUE(at->VariableOf(at->inputs[0]).only_sequences());
  EXPECT_FALSE(at->VariableOf(at->inputs[1]).only_sequences());
}

}  // namespace
}  // namespace onnxport::lowering
