#include "runtime/ir/instruction.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace onnxport::ir {
namespace {

using I = Instruction;
using Family = InstructionInfo::Family;
using Result = InstructionInfo::Result;

// For example, `round` is printed as `host::round`, takes one or two operands, `round(x)` and `round(x, digits)`, and
// returns a number. The number of operands is checked where they are read (pt2/nodes.cc) and where they are computed
// (lowering/host).
constexpr InstructionInfo kTable[] = {
    {I::kAbs, "abs", 1, 1, Family::kNumbers, Result::kNumber},
    {I::kAdd, "add", 2, 2, Family::kNumbers, Result::kNumber},
    {I::kAnd, "and", 2, 2, Family::kNumbers, Result::kNumber},
    {I::kCeil, "ceil", 1, 1, Family::kNumbers, Result::kNumber},
    {I::kEq, "eq", 2, 2, Family::kNumbers, Result::kNumber},
    {I::kFloat, "float", 1, 1, Family::kNumbers, Result::kNumber},
    {I::kFloor, "floor", 1, 1, Family::kNumbers, Result::kNumber},
    {I::kFloorDiv, "floordiv", 2, 2, Family::kNumbers, Result::kNumber},
    {I::kGe, "ge", 2, 2, Family::kNumbers, Result::kNumber},
    {I::kGt, "gt", 2, 2, Family::kNumbers, Result::kNumber},
    {I::kInt, "int", 1, 1, Family::kNumbers, Result::kNumber},
    {I::kIte, "ite", 3, 3, Family::kNumbers, Result::kNumber},
    {I::kLe, "le", 2, 2, Family::kNumbers, Result::kNumber},
    {I::kLt, "lt", 2, 2, Family::kNumbers, Result::kNumber},
    {I::kMax, "max", 2, 2, Family::kNumbers, Result::kNumber},
    {I::kMin, "min", 2, 2, Family::kNumbers, Result::kNumber},
    {I::kMod, "mod", 2, 2, Family::kNumbers, Result::kNumber},
    {I::kMul, "mul", 2, 2, Family::kNumbers, Result::kNumber},
    {I::kNe, "ne", 2, 2, Family::kNumbers, Result::kNumber},
    {I::kNeg, "neg", 1, 1, Family::kNumbers, Result::kNumber},
    {I::kNot, "not", 1, 1, Family::kNumbers, Result::kNumber},
    {I::kOr, "or", 2, 2, Family::kNumbers, Result::kNumber},
    {I::kPow, "pow", 2, 2, Family::kNumbers, Result::kNumber},
    {I::kRound, "round", 1, 2, Family::kNumbers, Result::kNumber},
    {I::kSqrt, "sqrt", 1, 1, Family::kNumbers, Result::kNumber},
    {I::kSub, "sub", 2, 2, Family::kNumbers, Result::kNumber},
    {I::kTrueDiv, "truediv", 2, 2, Family::kNumbers, Result::kNumber},
    {I::kTrunc, "trunc", 1, 1, Family::kNumbers, Result::kNumber},
    {I::kSymNumel, "sym_numel", 1, 1, Family::kSizes, Result::kNumber},
    {I::kSymSize, "sym_size", 2, 2, Family::kSizes, Result::kNumber},
    {I::kSymStorageOffset, "sym_storage_offset", 1, 1, Family::kSizes, Result::kNumber},
    {I::kSymStride, "sym_stride", 2, 2, Family::kSizes, Result::kNumber},
    {I::kSequenceAppend, "sequence_append", 2, 2, Family::kLists, Result::kList},
    {I::kSequenceAt, "sequence_at", 2, 2, Family::kLists, Result::kTensor},
    {I::kSequenceConcat, "sequence_concat", 2, 2, Family::kLists, Result::kList},
    {I::kSequenceConstruct, "sequence_construct", 1, 1, Family::kLists, Result::kList},
    {I::kSequenceEmpty, "sequence_empty", 1, 2, Family::kLists, Result::kList},
    {I::kSequenceErase, "sequence_erase", 2, 2, Family::kLists, Result::kList},
    {I::kSequenceInsert, "sequence_insert", 3, 3, Family::kLists, Result::kList},
    {I::kSequenceLength, "sequence_length", 1, 1, Family::kLists, Result::kNumber},
    {I::kSequenceReverse, "sequence_reverse", 1, 1, Family::kLists, Result::kList},
    {I::kSequenceSlice, "sequence_slice", 4, 4, Family::kLists, Result::kList},
    {I::kSequenceSplit, "sequence_split", 1, 1, Family::kLists, Result::kList},
    {I::kCast, "cast", 2, 2, Family::kTensors, Result::kTensor},
    {I::kEmptied, "emptied", 2, 2, Family::kTensors, Result::kTensor},
    {I::kZeros, "zeros", 2, 2, Family::kTensors, Result::kTensor},
};

constexpr bool InOrder() {
  for (size_t i = 0; i < std::size(kTable); ++i) {
    if (static_cast<size_t>(kTable[i].instruction) != i) return false;
  }
  return std::size(kTable) == kInstructions;
}
static_assert(InOrder(), "InfoOf finds a row by its number");

}  // namespace

const InstructionInfo& InfoOf(Instruction instruction) { return kTable[static_cast<size_t>(instruction)]; }

const std::string& TextOf(Instruction instruction) {
  static const auto& texts = *new std::array<std::string, kInstructions>([] {
    std::array<std::string, kInstructions> made;
    std::ranges::transform(kTable, made.begin(), [](const auto& row) { return "host::" + std::string(row.name); });
    return made;
  }());
  return texts[static_cast<size_t>(instruction)];
}

std::optional<Instruction> FindSizeQuestion(std::string_view name) {
  const auto* found = std::ranges::find_if(
      kTable, [&](const InstructionInfo& row) { return row.family == Family::kSizes && row.name == name; });
  return found == std::end(kTable) ? std::nullopt : std::optional(found->instruction);
}

}  // namespace onnxport::ir
