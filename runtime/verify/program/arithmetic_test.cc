#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "runtime/base/refusal.h"
#include "runtime/verify/program/machine.h"

namespace onnxport::verify {
namespace {

using c10::IValue;
using ir::Instruction;

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The expected values are Python's.
TEST(Arithmetic, IsPythons) {
  const struct {
    Instruction instruction;
    std::vector<IValue> arguments;
    IValue result;
  } kCases[] = {
      {Instruction::kAdd, {2, true}, 3},
      {Instruction::kAdd, {2, 0.5}, 2.5},
      {Instruction::kAbs, {-3}, 3},
      {Instruction::kAbs, {-0.5}, 0.5},
      {Instruction::kFloorDiv, {-7, 2}, -4},
      {Instruction::kMod, {-7, 2}, 1},
      {Instruction::kMod, {7, -2}, -1},
      {Instruction::kMod, {kLeast, -1}, 0},
      {Instruction::kMul, {kLeast, 1}, kLeast},
      {Instruction::kSub, {-1, kMost}, kLeast},
      {Instruction::kPow, {-1, kMost}, -1},
      {Instruction::kPow, {2, -1}, 0.5},
      {Instruction::kRound, {2.5}, 2},
      {Instruction::kTrunc, {-2.5}, -2},
      {Instruction::kInt, {-0x1p63}, kLeast},
  };
  for (const auto& test : kCases) {
    const IValue result = Compute(test.instruction, test.arguments);
    EXPECT_EQ(result.tagKind(), test.result.tagKind()) << ir::InfoOf(test.instruction).name;
    EXPECT_EQ(result, test.result) << ir::InfoOf(test.instruction).name;
  }
}

// Python's ints have no end; what does not fit is refused, and never another number.
TEST(Arithmetic, RefusesWhatHasNoPlaceIn64Bits) {
  const struct {
    Instruction instruction;
    std::vector<IValue> arguments;
  } kCases[] = {
      {Instruction::kAdd, {kMost, 1}},
      {Instruction::kSub, {kLeast, 1}},
      {Instruction::kMul, {kLeast, -1}},
      {Instruction::kNeg, {kLeast}},
      {Instruction::kAbs, {kLeast}},
      {Instruction::kFloorDiv, {kLeast, -1}},
      {Instruction::kPow, {2, 63}},
      {Instruction::kFloorDiv, {1, 0}},
      {Instruction::kMod, {1, 0}},
      {Instruction::kInt, {0x1p63}},
      {Instruction::kFloor, {-kInfinity}},
      {Instruction::kCeil, {kInfinity}},
      {Instruction::kRound, {kInfinity}},
      {Instruction::kTrunc, {1e300}},
      {Instruction::kInt, {std::numeric_limits<double>::quiet_NaN()}},
  };
  for (const auto& test : kCases) {
    EXPECT_THROW(Compute(test.instruction, test.arguments), Refusal) << ir::InfoOf(test.instruction).name;
  }
}

}  // namespace
}  // namespace onnxport::verify
