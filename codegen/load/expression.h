// Parser of the expression language: Python's expressions, without lambdas, attributes and chained comparisons.
#ifndef ONNXPORT_CODEGEN_LOAD_EXPRESSION_H_
#define ONNXPORT_CODEGEN_LOAD_EXPRESSION_H_

#include <optional>
#include <string>
#include <vector>

#include "codegen/load/placed_text.h"
#include "codegen/model/expr.h"
#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

// Each reports the first mistake at its place, and then returns null (or nothing). `plain_in_flow` says that the text
// is a YAML plain scalar inside {...} or [...]. A comma ends such a scalar, so the message gives a hint.
ExprPtr ParseExpression(const PlacedText& text, Diagnostics* diagnostics, bool plain_in_flow = false);

// `axis(self)`, `must(0.0)`, `ignore`, `enum({0: "none", 1: "sum"})` ...
std::optional<Refine> ParseRefine(const PlacedText& text, Diagnostics* diagnostics);

// `name(a, b)`: the name and the parameters of a definition. The caller sets the place.
std::optional<Signature> ParseSignature(const PlacedText& text, Diagnostics* diagnostics);

// `a, b in expr`: the targets and the iterable of a fold.
struct Each {
  std::vector<std::string> targets;
  ExprPtr in;
};
std::optional<Each> ParseEach(const PlacedText& text, Diagnostics* diagnostics);

// Checks that a spec may give this name to something new: an identifier without a meaning here or in C++. Reports a
// mistake and returns false otherwise.
bool CheckNewName(const PlacedText& name, Diagnostics* diagnostics);

// A literal, or a list of literals.
bool IsConstant(const Expr& expr);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_EXPRESSION_H_
