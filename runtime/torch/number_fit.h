// Numbers that a program computes of sizes, found by what they were in several runs.
#ifndef ONNXPORT_RUNTIME_TORCH_NUMBER_FIT_H_
#define ONNXPORT_RUNTIME_TORCH_NUMBER_FIT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace onnxport::torch_export {

// One number for each run.
using Observed = std::vector<int64_t>;

// scale * product of terms, plus a sum of others ... : a small expression over known numbers, in postfix order.
struct Step {
  enum class Kind { kKnown, kNumber, kAdd, kSub, kMul, kFloorDiv, kMod };
  Kind kind = Kind::kNumber;
  int64_t number = 0;  // kNumber; kKnown: which
};
using Formula = std::vector<Step>;

// What the formula gives in each run; nothing for a division by zero.
std::optional<Observed> Evaluate(const Formula& formula, std::span<const Observed> known);

// "batch*seq // 2"
std::string ToText(const Formula& formula, const std::vector<std::string>& names);

struct Fitted {
  Formula formula;
  bool sure = true;  // false: many formulas were tried for numbers that say little; more runs should decide
};

// The simplest formula over `known` that gives `wanted` in all runs but the last, which must then give it there, too.
// Known numbers that stand first are preferred. Tried in this order: one known number, c*a + b, products, sums and
// differences of two, products and sums of three, (a + b)//c, a % c, quotients and remainders of two, a*b//c. Nothing
// when none is right.
std::optional<Fitted> Fit(const Observed& wanted, std::span<const Observed> known);

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_TORCH_NUMBER_FIT_H_
