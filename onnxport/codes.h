// All that can be wrong, each with a number that stays. `exporter explain` and docs/codes.md list them.
#ifndef ONNXPORT_CODES_H_
#define ONNXPORT_CODES_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace onnxport {

// The kind of a failure says whose it is to mend.
enum class ErrorKind {
  kCannotExport = 1,  // the model: unsupported operators, a fixed axis ...
  kUsage = 2,         // an option does not fit the model, or nothing at all
  kBadInput = 3,      // the file is damaged or hostile, no such archive, or of an unknown version
  kCannotWrite = 4,   // the output
  kMemoryBudget = 5,  // what the file describes needs more memory than it is given
  kDeadline = 6,      // the deadline has passed
  kCancelled = 7,     // the caller's stop token, sink or callback asked for it
};

// "cannot_export", "usage", "bad_input", "cannot_write", "memory_budget", "deadline", "cancelled"
std::string_view Name(ErrorKind kind);

// A code says what a diagnostic is about. The first of each group is for all that has no code of its own.
enum class Code : uint8_t {
  kUsage,  // E00: what was asked for
  kCommandLine,
  kWrongOption,
  kNoSuchName,
  kOptionsConflict,
  kInputText,
  kInputDoesNotFit,
  kInputsAreNeeded,
  kOutputDoesNotFit,
  kBadNames,
  kOpsetIsNotSupported,
  kCustomNodeOption,
  kTracesDoNotFit,
  kOutputIsInput,
  kNoVerifier,

  kUnsupportedProgram,  // E01: the program, its control flow and its sizes
  kProgramRaises,
  kNotDecided,
  kTooManySteps,
  kAxisIsFixed,
  kAxisIsNarrowed,
  kSizesDoNotFit,
  kBranchesDiffer,
  kLoopDoesNotFit,
  kWriteIsNotFollowed,
  kStateIsNotKept,
  kBadOutput,
  kTracesDiffer,
  kGraphOperator,
  kContradictsFile,
  kNotCaptured,
  kOutsideOperators,
  kOtherThread,
  kNoOnnxType,
  kValueIsTooLarge,

  kUnsupportedCall,      // E02: operators and their calls
  kUnsupportedOperator,  // no spec says how to export it, at any opset
  kNotAtThisOpset,
  kRefusedBySpec,
  kArgumentIsNotKnown,
  kDTypeIsNotTaken,
  kNoComplexForm,
  kNoQuantizedForm,
  kCustomNodeDoesNotFit,
  kIndexIsOutside,
  kTypeIsNotKnown,
  kBreaksOnnx,
  kNotOnTarget,
  kNotInAModel,

  kBadInput,  // E03: files that are read
  kCannotRead,
  kFileChanged,
  kDamagedArchive,
  kUnknownFormat,
  kBadPickle,
  kBadScript,
  kBadOnnxFile,
  kWouldRunCode,
  kBadSafetensors,
  kNoProgram,

  kCannotWrite,  // E04: limits, weights and what is written
  kMemoryBudget,
  kDeadline,
  kCancelled,
  kModelIsTooLarge,
  kWeightsDiffer,
  kNotCompared,

  kInternal,  // E05: a mistake of this library; please report it

  kOtherSizes,  // W06: warnings
};

struct CodeInfo {
  Code code;
  std::string_view number;  // "E0104"; of a warning "W0600"
  ErrorKind kind;           // of an error with this code alone
  std::string_view title;
  std::string_view explanation;
  std::string_view example;
  std::string_view way_out;
};

// In the order of their numbers.
std::span<const CodeInfo> AllCodes();
const CodeInfo& InfoOf(Code code);
std::string_view Number(Code code);
// Null for what is no number of a code. Letters may be small: "e0104".
const CodeInfo* FindCode(std::string_view number);
// The number that somebody may have meant; empty where none is near.
std::string_view NearestCode(std::string_view number);
// An array, with an object on each line: code, title, explanation, example and way_out.
std::string ToJson(std::span<const CodeInfo> codes);

}  // namespace onnxport

#endif  // ONNXPORT_CODES_H_
