// Literal expressions: making them and computing with them, as the runtime does (runtime/base/host_value.h).
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

// Computes a unary or arithmetic operator or a comparison whose operands are literals. Null if an operand is no
// literal. Throws Refusal where the runtime would (a division by zero, more than 64 bits).
ExprPtr ComputeLiterals(const Expr& expr);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_SPECIALIZE_LITERALS_H_
