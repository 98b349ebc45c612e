#include "runtime/cli/messages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "runtime/cli/flags.h"

namespace onnxport::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string Told(Code code, const std::string& op, const std::string& reason = "no spec says how to export it") {
  testing::internal::CaptureStderr();
  const Report report(ErrorKind::kCannotExport, {{.code = code, .op = op, .calls = 1, .reason = reason}}, "cannot");
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
  EXPECT_THAT(Told(Code::kUnsupportedOperator, "aten::foo", "it writes"), Not(HasSubstr("--map")));
}

TEST(Messages, NameFlagsForWhatAProgramWrites) {
  const struct {
    const char* message;
    const char* told;
  } kCases[] = {
      {"a file (ExportOptions::weights), or inputs (ExportOptions::weights_as_inputs)",
       "a file (--weights), or inputs (--no-weights)"},
      {"`k` (int): ParseInput(\"k=5\"), or ParseInput(\"k=i64[]\") for",
       "`k` (int): --input 'k=5', or --input 'k=i64[]' for"},
      {"ParseOutput(\"y=[n\"): no", "--output 'y=[n': no"},
      {"ExportOptions::input_names gives 2; see ExportOptions::inputs", "--input-names gives 2; see --input"},
      {"ExportOptions::complex = kAsReal", "--complex as-real"},
      {"ParseInput(\"never ends", "ParseInput(\"never ends"},
      {"ExportOptions::nothing", "ExportOptions::nothing"},
  };
  for (const auto& test : kCases) {
    testing::internal::CaptureStderr();
    Tell(test.message);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), test.told);
  }
}

// Before the report is written as JSON, where a quotation mark stands behind a backslash.
TEST(Messages, FlagsStandInReportsToo) {
  const Report report(ErrorKind::kUsage, {{.reason = "`k` (int): ParseInput(\"k=5\")"}}, "see ExportOptions::inputs");
  EXPECT_THAT(WithFlags(report).Json(),
              AllOf(HasSubstr("--input 'k=5'"), HasSubstr("see --input"), Not(HasSubstr("ParseInput"))));
}

}  // namespace
}  // namespace onnxport::cli
