// Expressions in unit tests.
#ifndef ONNXPORT_CODEGEN_LOAD_EXPRESSION_FOR_TEST_H_
#define ONNXPORT_CODEGEN_LOAD_EXPRESSION_FOR_TEST_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "codegen/load/expression.h"

namespace onnxport::codegen {

// Parses the text as an expression; the test fails if it is none.
inline ExprPtr ParseForTest(const std::string& text) {
  Diagnostics diagnostics;
  const Place place{std::make_shared<SourceFile>(SourceFile{"x.yaml", text}), 1, 1};
  ExprPtr expr = ParseExpression(PlacedText(text, place), &diagnostics);
  EXPECT_NE(expr, nullptr) << diagnostics.ToText();
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.ToText();
  return expr;
}

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_EXPRESSION_FOR_TEST_H_
