// Literal expressions: making them and computing with them.
#ifndef ONNXPORT_CODEGEN_SPECIALIZE_LITERALS_H_
#define ONNXPORT_CODEGEN_SPECIALIZE_LITERALS_H_

#include <string>
#include <string_view>

#include "codegen/model/expr.h"

namespace onnxport::codegen {

// None, a bool, a number or a text.
bool IsLiteral(const Expr& expr);
bool IsLiteral(const Expr& expr, bool truth);  // a literal with this truth

// Python's truth of a literal.
bool LiteralTruth(const Expr& literal);

ExprPtr NoneLiteral(const Place& place);
ExprPtr BoolLiteral(bool value, const Place& place);
ExprPtr IntLiteral(int64_t value, const Place& place);
ExprPtr StringLiteral(std::string text, const Place& place);

// The result of an operator on literals, or null when it is not worth knowing (a division by zero, a large power ...).
ExprPtr ComputeUnary(const Expr& expr, const Expr& operand);
ExprPtr ComputeBinary(const Expr& expr, const Expr& a, const Expr& b);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_SPECIALIZE_LITERALS_H_
