// A program that links the operators of two sets: each is known, and what both claim is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "onnxport/export.h"
#include "onnxport/operators.h"

namespace onnxport {
namespace {

Result<Model> Exported(const std::string& name) {
  ExportOptions options;
  options.inputs.push_back(TensorInput("x", kFloat32, {Sym("batch"), 4}));
  return Export(Source::File(std::string(std::getenv("MODELS")) + "/" + name), options);
}

std::string PlaceOf(std::string_view op) {
  const auto operators = ListOperators();
  const auto found = std::ranges::find(operators, op, &OperatorSupport::name);
  return found == operators.end() ? "" : std::string(found->spec);
}

TEST(Library, KnowsTheOperatorsOfEachSet) {
  EXPECT_TRUE(PlaceOf("acme_ops::draw").starts_with("tests/domains/acme.yaml:"));
  EXPECT_TRUE(PlaceOf("other_ops::double").starts_with("tests/domains/other.yaml:"));
  EXPECT_TRUE(PlaceOf("aten::gelu").starts_with("tests/domains/acme.yaml:"));  // overridden
  EXPECT_TRUE(PlaceOf("aten::relu").starts_with("spec/aten/"));
  const auto operators = ListOperators();
  EXPECT_TRUE(std::ranges::is_sorted(operators, {}, &OperatorSupport::name));
}

TEST(Library, ExportsWithThem) {
  for (const char* name : {"TopPairs.pt", "TopPairs.pt2", "Gelu.pt"}) {
    const auto model = Exported(name);
    EXPECT_TRUE(model) << name << ": " << model.error().Text();
  }
}

TEST(Library, WhatTwoSetsClaimIsRefused) {
  const auto model = Exported("Mix.pt2");
  ASSERT_FALSE(model);
  const std::string text = model.error().Text();
  EXPECT_NE(text.find("two sets of operators say how to export it, at tests/domains/acme.yaml:"), std::string::npos)
      << text;
  EXPECT_NE(text.find(" and tests/domains/other.yaml:8; make one of both"), std::string::npos) << text;
}

}  // namespace
}  // namespace onnxport
