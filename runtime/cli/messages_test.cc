#include "runtime/cli/messages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "runtime/cli/option_flags.h"

namespace onnxport::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string Told(Code code, const std::string& op) {
  testing::internal::CaptureStderr();
  const Report report(ErrorKind::kCannotExport, {{.code = code, .op = op, .calls = 1, .reason = "why"}}, "cannot");
  EXPECT_EQ(Fail(report), 1);
  return testing::internal::GetCapturedStderr();
}

TEST(Messages, OperatorsWithoutAMappingNameTheWaysOut) {
  EXPECT_THAT(Told(Code::kUnsupportedOperator, "aten::foo"),
              AllOf(HasSubstr("--map aten::foo="), HasSubstr("--fallthrough"), HasSubstr("docs/rules.md"),
                    HasSubstr("run_decompositions()")));
  EXPECT_THAT(Told(Code::kUnsupportedOperator, "acme::foo"),
              AllOf(HasSubstr("--map acme::foo="), Not(HasSubstr("run_decompositions"))));
  EXPECT_THAT(Told(Code::kUnsupportedOperator, "acme::relu6x"), HasSubstr("with a mapping: aten::relu6, aten::relu"));
  EXPECT_THAT(Told(Code::kUnsupportedOperator, "acme::of_no_such_name"), Not(HasSubstr("nearest")));
  EXPECT_THAT(Told(Code::kUnsupportedCall, "aten::foo"), Not(HasSubstr("--map")));
  EXPECT_THAT(Told(Code::kGraphOperator, "higher_order::foo"), Not(HasSubstr("--map")));
}

TEST(Messages, NameFlagsForOptions) {
  const struct {
    const char* reason;
    const char* told;
  } kCases[] = {
      {"a file (<<weights>>), or inputs (<<weights_as_inputs>>)", "a file (--weights), or inputs (--no-weights)"},
      {"`k` (int): <<inputs: k=5>>, or <<inputs: k=i64[]>> for", "`k` (int): --input k=5, or --input 'k=i64[]' for"},
      {"<<outputs: y=[n>>: no", "--output 'y=[n': no"},
      {"<<complex: as-real>>, <<weights_as: int4:64>>", "--complex as-real, --weights-as int4:64"},
      {"<<nothing>> and <<inputs", "nothing and <<inputs"},
  };
  for (const auto& test : kCases) {
    testing::internal::CaptureStderr();
    Fail(Report(ErrorKind::kUsage, test.reason));
    EXPECT_EQ(testing::internal::GetCapturedStderr(), std::string("exporter: error[E0001]: ") + test.told + "\n");
  }
}

// The reader of a report typed the command.
TEST(Messages, FlagsStandInReportsToo) {
  const Report report(ErrorKind::kUsage, {{.reason = "`k` (int): <<inputs: k=5>>"}}, "see <<inputs>>");
  EXPECT_THAT(report.With(OptionAsFlag).Json(),
              AllOf(HasSubstr("--input k=5"), HasSubstr("see --input"), HasSubstr("\"options\":[\"inputs\"]")));
  EXPECT_THAT(report.Json(), HasSubstr("see `inputs`"));
  EXPECT_THAT(report.Text(), HasSubstr("see ExportOptions::inputs"));
}

}  // namespace
}  // namespace onnxport::cli
