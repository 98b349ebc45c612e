// The operators of the spec language, as Python has them.
#ifndef ONNXPORT_CODEGEN_MODEL_OPERATORS_H_
#define ONNXPORT_CODEGEN_MODEL_OPERATORS_H_

#include <algorithm>
#include <array>
#include <string_view>

namespace onnxport::codegen {

enum class Operator {
  kNegate,
  kNot,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kFloorDivide,
  kModulo,
  kPower,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kIn,
  kNotIn,
  kAnd,
  kOr,
};

// How strongly a form holds its operands together, weakest first.
enum class Precedence { kNone, kConditional, kOr, kAnd, kNot, kCompare, kSum, kProduct, kNegate, kPower, kAtom };

// The least precedence for the right side of `a - b`, so that `a - (b - c)` keeps its parentheses.
constexpr Precedence Tighter(Precedence precedence) {
  return static_cast<Precedence>(static_cast<int>(precedence) + 1);
}

struct OperatorInfo {
  Operator op;
  std::string_view text;
  Precedence precedence;
  bool unary = false;
};

// In the order of the enumeration.
inline constexpr auto kOperators = std::to_array<OperatorInfo>({
    {Operator::kNegate, "-", Precedence::kNegate, true},
    {Operator::kNot, "not", Precedence::kNot, true},
    {Operator::kAdd, "+", Precedence::kSum},
    {Operator::kSubtract, "-", Precedence::kSum},
    {Operator::kMultiply, "*", Precedence::kProduct},
    {Operator::kDivide, "/", Precedence::kProduct},
    {Operator::kFloorDivide, "//", Precedence::kProduct},
    {Operator::kModulo, "%", Precedence::kProduct},
    {Operator::kPower, "**", Precedence::kPower},
    {Operator::kEqual, "==", Precedence::kCompare},
    {Operator::kNotEqual, "!=", Precedence::kCompare},
    {Operator::kLess, "<", Precedence::kCompare},
    {Operator::kLessEqual, "<=", Precedence::kCompare},
    {Operator::kGreater, ">", Precedence::kCompare},
    {Operator::kGreaterEqual, ">=", Precedence::kCompare},
    {Operator::kIn, "in", Precedence::kCompare},
    {Operator::kNotIn, "not in", Precedence::kCompare},
    {Operator::kAnd, "and", Precedence::kAnd},
    {Operator::kOr, "or", Precedence::kOr},
});
// InfoOf takes the enumerator as an index.
static_assert(std::ranges::is_sorted(kOperators, {}, &OperatorInfo::op) &&
              kOperators.size() == static_cast<size_t>(Operator::kOr) + 1);

constexpr const OperatorInfo& InfoOf(Operator op) { return kOperators[static_cast<size_t>(op)]; }

// The operator between two operands that is written so; null for none.
constexpr const OperatorInfo* FindInfix(std::string_view text) {
  const auto* found =
      std::ranges::find_if(kOperators, [&](const OperatorInfo& info) { return !info.unary && info.text == text; });
  return found == kOperators.end() ? nullptr : found;
}

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_MODEL_OPERATORS_H_
