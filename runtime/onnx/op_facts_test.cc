#include "runtime/onnx/op_facts.h"

#include <gtest/gtest.h>

#include <string>

#include "runtime/lowering/types/op_info.h"
#include "runtime/lowering/types/operator_forms.h"

namespace onnxport::onnx_ops::op_facts_test {
namespace {

// The emitter knows no other operators, whether a spec, the lowering, or `--map` names them (OpCatalog::Find), and the
// generator refuses a spec that names another. After an update of ONNX, each new operator needs a row. Find out whether
// it is random or elementwise, and leave out all facts that you do not know.
TEST(OpFacts, EveryOperatorHasARow) {
  size_t count = 0;
  for (const lowering::OperatorForm& form : lowering::OperatorForms()) {
    EXPECT_EQ(Find(form.name).op, form.name);
    ++count;
  }
  EXPECT_GT(count, 150U);
}

TEST(OpFacts, NothingIsKnownOfOthers) {
  for (const char* op : {"com.microsoft.Gelu", "aten::add.Tensor", "add", "Addd", ""}) {
    const OpFacts& facts = Find(op);
    EXPECT_TRUE(facts.op.empty()) << op;
    EXPECT_EQ(facts.form, Form::kOther) << op;
    EXPECT_EQ(facts.sizes, nullptr) << op;
  }
}

// The operator's schema must allow the facts of its row.
TEST(OpFacts, FitSchemas) {
  for (const lowering::OperatorForm& form : lowering::OperatorForms()) {
    const OpFacts& facts = Find(form.name);
    const lowering::OpInfo& info = *lowering::OpCatalog(form.since).Find(form.name);
    SCOPED_TRACE(std::string(form.name) + " of opset " + std::to_string(form.since));
    if (facts.form == Form::kElementwise || facts.form == Form::kView || facts.form == Form::kReduction) {
      EXPECT_EQ(info.max_outputs, 1);
    }
    if (facts.form == Form::kReduction) {
      EXPECT_NE(info.FindAttribute("keepdims"), nullptr);
    }
    if (facts.form == Form::kConvolution || facts.form == Form::kPool) {
      EXPECT_NE(info.FindAttribute("kernel_shape"), nullptr);
      EXPECT_GE(info.min_inputs, facts.form == Form::kConvolution ? 2 : 1);
    }
    if (facts.commutes || facts.neutral) {
      EXPECT_GT(info.max_inputs, 1);
    }
    if (info.FindAttribute("seed") != nullptr) {
      EXPECT_TRUE(facts.random);
    }
    if (facts.undoes_itself) {
      EXPECT_EQ(info.max_inputs, 1);
    }
    for (const std::string_view block : facts.blocks) {
      const lowering::AttributeInfo* attribute = info.FindAttribute(block);
      ASSERT_NE(attribute, nullptr) << block;
      EXPECT_EQ(attribute->kind, lowering::AttributeKind::kOther) << block;
    }
  }
}

}  // namespace
}  // namespace onnxport::onnx_ops::op_facts_test
