// Instructions of the runtime itself: computations of a program outside its operators, and the code that writes,
// branches and lists are translated to.
#ifndef ONNXPORT_RUNTIME_IR_INSTRUCTION_H_
#define ONNXPORT_RUNTIME_IR_INSTRUCTION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace onnxport::ir {

enum class Instruction : uint8_t {
  // Python's arithmetic on numbers and bools.
  kAbs,
  kAdd,
  kAnd,
  kCeil,
  kEq,
  kFloat,
  kFloor,
  kFloorDiv,
  kGe,
  kGt,
  kInt,
  kIte,  // a if condition else b; the condition comes first
  kLe,
  kLt,
  kMax,
  kMin,
  kMod,
  kMul,
  kNe,
  kNeg,
  kNot,
  kOr,
  kPow,
  kRound,
  kSqrt,
  kSub,
  kTrueDiv,
  kTrunc,
  // Properties of a tensor.
  kSymNumel,
  kSymSize,  // of an axis
  kSymStorageOffset,
  kSymStride,  // of an axis
  // Lists of tensors whose length is known only at run time.
  kSequenceAppend,
  kSequenceAt,
  kSequenceConcat,
  kSequenceConstruct,  // of a list of known length
  kSequenceEmpty,      // of elements of a dtype and, if given, a shape
  kSequenceErase,
  kSequenceInsert,  // list, element, place
  kSequenceLength,
  kSequenceReverse,
  kSequenceSlice,
  kSequenceSplit,  // a tensor's elements along the first axis
  // Tensors.
  kCast,     // to a dtype
  kEmptied,  // a tensor without elements, in another shape
  kZeros,    // sizes, dtype
};

// lowering/host (host_ops.cc) can compute each of these.
struct InstructionInfo {
  enum class Family : uint8_t { kNumbers, kSizes, kLists, kTensors };
  enum class Result : uint8_t { kNumber, kTensor, kList };

  Instruction instruction;
  std::string_view name;  // "add"
  size_t least;           // operands
  size_t most;
  Family family;
  Result result;
};

const InstructionInfo& InfoOf(Instruction instruction);
inline bool IsOf(Instruction instruction, InstructionInfo::Family family) {
  return InfoOf(instruction).family == family;
}

// The form in printed graphs and messages: "host::add".
const std::string& TextOf(Instruction instruction);

// The instruction for a property of a tensor, by its name: "sym_size".
std::optional<Instruction> FindSizeQuestion(std::string_view name);

inline constexpr size_t kInstructions = static_cast<size_t>(Instruction::kZeros) + 1;

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_INSTRUCTION_H_
