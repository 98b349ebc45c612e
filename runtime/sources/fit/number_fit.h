// Numbers that a program computes of sizes, found by what they were in several runs.
#ifndef ONNXPORT_RUNTIME_SOURCES_FIT_NUMBER_FIT_H_
#define ONNXPORT_RUNTIME_SOURCES_FIT_NUMBER_FIT_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/instruction.h"

namespace onnxport::fit {

// One number for each run.
using Observed = std::vector<int64_t>;

// scale * product of terms, plus a sum of others ... : a small expression over known numbers, in postfix order.
struct Step {
  enum class Kind { kKnown, kNumber, kAdd, kSub, kMul, kFloorDiv, kMod, kMin, kMax };
  Kind kind = Kind::kNumber;
  int64_t number = 0;  // kNumber; kKnown: which
};
using Formula = std::vector<Step>;

// Computes the formula: `known(which)` and `number(n)` make its operands, `apply(kind, a, b)` each result.
template <typename T, typename Known, typename Number, typename Apply>
T Fold(const Formula& formula, const Known& known, const Number& number, const Apply& apply) {
  std::vector<T> stack;
  for (const Step& step : formula) {
    if (step.kind == Step::Kind::kKnown) {
      stack.push_back(known(static_cast<size_t>(step.number)));
    } else if (step.kind == Step::Kind::kNumber) {
      stack.push_back(number(step.number));
    } else {
      T b = std::move(stack.back());
      stack.pop_back();
      stack.back() = apply(step.kind, std::move(stack.back()), std::move(b));
    }
  }
  return std::move(stack.back());
}

// The instruction that such a step of two operands stands for.
ir::Instruction InstructionOf(Step::Kind kind);

// The result of the formula in each run; nothing for a division by zero.
std::optional<Observed> Evaluate(const Formula& formula, std::span<const Observed> known);

// "batch*seq // 2"
std::string ToText(const Formula& formula, const std::vector<std::string>& names);

struct Fitted {
  Formula formula;
  bool sure = true;  // false: many formulas were tried for numbers that say little; more runs should decide
};

// The simplest formula over `known` that gives `wanted` in all runs but the last, which must then give it there, too.
// Known numbers that stand first are preferred. Tried in this order:
// - one known number, c*a + b, products, sums and differences of two, products and sums of three,
// - the smaller and the larger of two, or of one and a number that it was bounded to,
// - (a + b)//c, a % c, (b - a) % c, quotients and remainders of two, a*b//c.
//
// Returns nothing when none is right, or when so many were tried that one may be right by chance.
std::optional<Fitted> Fit(const Observed& wanted, std::span<const Observed> known);

// The same where runs cannot be had at will: all formulas that deserve belief, the simplest first. Each gives `wanted`
// in all runs, of which there are more than it has choices. A factor or another operand is one choice, a number that is
// added two, and one that divides three. A formula with two choices more than the simplest is left out. So two runs
// tell a known number, a multiple of one, and sums, differences and products of two. When the remaining ones are not
// the same, only more runs can tell which is meant.
std::vector<Formula> Candidates(const Observed& wanted, std::span<const Observed> known);

// "batch=2, seq=10": what the sizes were in a run.
std::string SizesText(const std::map<std::string, int64_t>& sizes);

}  // namespace onnxport::fit

#endif  // ONNXPORT_RUNTIME_SOURCES_FIT_NUMBER_FIT_H_
