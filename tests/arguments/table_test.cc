#include "tests/arguments/table.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace onnxport::arguments {
namespace {

using conformance::Outcome;

TEST(Table, IsReadAsItWasWritten) {
  const std::string path = testing::TempDir() + "/table.txt";
  Table table;
  table["aten::elu"]["(self=T[2,3])"] = {{"alpha=inf", "refused: it is infinite"},
                                         {"alpha=-inf", "refused: it is infinite"},
                                         {"alpha=2., scale=nan", "wrong: NaN 00001a2b"}};
  table["aten::elu"]["(self=T[2,3]) of unknown sizes"] = table["aten::elu"]["(self=T[2,3])"];
  table["aten::elu"]["(self=T[3])"] = {{"alpha=inf", "refused: it is infinite"}};
  WriteTable(table, path);
  EXPECT_EQ(ReadTable(path), table);
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_NE(text.str().find("aten::elu\n"
                            "  (self=T[2,3]); (self=T[2,3]) of unknown sizes\n"
                            "    refused: it is infinite | alpha=-inf; alpha=inf\n"
                            "    wrong: NaN 00001a2b | alpha=2., scale=nan\n"
                            "  (self=T[3])\n"
                            "    refused: it is infinite | alpha=inf\n"),
            std::string::npos)
      << text.str();
}

TEST(Table, OutcomesAreShort) {
  const struct {
    Outcome outcome;
    const char* text;
  } kCases[] = {
      {{}, ""},
      {{Outcome::Kind::kRefused, "Relu of opset 20 takes no bool; use another"}, "refused: Relu takes no bool"},
      {{Outcome::Kind::kRefused, "only exported if a | b"}, "refused: only exported if ..."},
      {{Outcome::Kind::kNoKernel, "Relu"}, "no kernel: Relu"},
      {{Outcome::Kind::kNotRun, "no answer"}, ""},
      {{Outcome::Kind::kWrong, "got nan ...", "NaN", 0x1a2b}, "wrong: NaN 00001a2b"},
  };
  for (const auto& c : kCases) EXPECT_EQ(ToText(c.outcome, 20), c.text);
}

}  // namespace
}  // namespace onnxport::arguments
