#include "codegen/emit/template.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace onnxport::codegen::template_test {
namespace {

TEST(FillTemplate, FillsHolesWithinALine) {
  EXPECT_EQ(FillTemplate("t", "Vals {{name}}(Context& {{c}});\n", {{"name", "relu"}, {"c", "c"}}),
            "Vals relu(Context& c);\n");
}

TEST(FillTemplate, AHoleAloneKeepsItsIndentation) {
  EXPECT_EQ(FillTemplate("t", "{\n  {{body}}\n}\n", {{"body", "a;\n\n  b;\n"}}), "{\n  a;\n\n    b;\n}\n");
}

TEST(FillTemplate, AnEmptyHoleAloneTakesItsLineAway) {
  EXPECT_EQ(FillTemplate("t", "a\n{{nothing}}\nb\n", {{"nothing", ""}}), "a\nb\n");
}

TEST(FillTemplate, ValuesAreNotReadAsTemplates) {
  EXPECT_EQ(FillTemplate("t", "{{x}};\n", {{"x", "{{y}}"}}), "{{y}};\n");
}

struct Mistake {
  const char* text;
  Holes holes;
  const char* message;
};

class Mistakes : public testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, AreErrors) {
  try {
    FillTemplate("t", GetParam().text, GetParam().holes);
    FAIL() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), GetParam().message);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Mistakes,
                         testing::Values(Mistake{"{{x}}\n", {}, "template t: nothing fills {{x}}"},
                                         Mistake{"a\n", {{"x", "1"}}, "template t has no hole {{x}}"},
                                         Mistake{"a {{x\n", {{"x", "1"}}, "template t: unclosed hole in `a {{x`"}));

}  // namespace
}  // namespace onnxport::codegen::template_test
