#include "runtime/trace/report.h"

#include <gtest/gtest.h>

#include "runtime/ir/location.h"

namespace onnxport::trace::report_test {
namespace {

TEST(Report, IsOneDiagnosticForEachOperatorAndReason) {
  ir::Graph source;
  const auto at = [&source](int line) {
    ir::Location location;
    location.at = ir::MakeLine("model.py", line);
    location.module = std::make_shared<const ir::ModuleCall>("layer1");
    location.op_name = "call_" + std::to_string(line);
    return source.AddLocation(location);
  };
  const ir::LocationId first = at(1);
  const std::vector<record::Failure> failures = {{first, "aten::relu", "why"},
                                                 {at(2), "aten::nothing", {Code::kUnsupportedOperator, "no spec"}},
                                                 {first, "aten::relu", "why"},
                                                 {at(4), "aten::relu", "why"},
                                                 {ir::LocationId::kNone, "", "it raises"},
                                                 {at(5), "aten::relu", "another"},
                                                 {at(6), ir::Instruction::kMul, "too large"}};
  const Report report = ReportOf(ErrorKind::kCannotExport, source, failures, {11, 0, 9, 13, 0, 0, 0}, 8);
  EXPECT_EQ(report.kind(), ErrorKind::kCannotExport);
  EXPECT_EQ(report.headline(), "the model cannot be exported at opset 8");
  const std::vector<Diagnostic>& found = report.diagnostics();
  ASSERT_EQ(found.size(), 5u);

  EXPECT_EQ(found[0].op, "aten::relu");
  EXPECT_EQ(found[0].code, Code::kUnsupportedCall);
  EXPECT_EQ(found[0].calls, 3);
  EXPECT_EQ(found[0].reason, "why");
  EXPECT_EQ(found[0].opset, 13);
  EXPECT_EQ(found[0].spec.rfind("spec/aten/", 0), 0u) << found[0].spec;
  ASSERT_EQ(found[0].sites.size(), 2u);
  EXPECT_EQ(found[0].sites[1].Text(), "layer1  model.py:4");
  EXPECT_EQ(found[0].sites[1].node, "call_4");

  EXPECT_EQ(found[1].code, Code::kUnsupportedOperator);
  EXPECT_EQ(found[1].spec, "");
  EXPECT_EQ(found[1].opset, 0);
  EXPECT_EQ(found[2].code, Code::kUnsupportedProgram);
  EXPECT_EQ(found[2].calls, 0);
  EXPECT_EQ(found[3].reason, "another");
  EXPECT_EQ(found[4].code, Code::kUnsupportedCall);
}

// Where one call of a group has no opset, the group has none.
TEST(Report, PromisesAnOpsetForAllCalls) {
  const ir::Graph source;
  const std::vector<record::Failure> failures(2, {ir::LocationId::kNone, "aten::relu", "why"});
  EXPECT_EQ(ReportOf(ErrorKind::kCannotExport, source, failures, {11, 0}, 8).diagnostics().at(0).opset, 0);
}

}  // namespace
}  // namespace onnxport::trace::report_test
