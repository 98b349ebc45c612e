// Reads a line of `tests:`: `max_pool2d(f32[2,3,8,9], [3,3], stride=[2,2]) with opset=[10, 25]`.
#ifndef ONNXPORT_CODEGEN_LOAD_TEST_CALL_H_
#define ONNXPORT_CODEGEN_LOAD_TEST_CALL_H_

#include <string>
#include <vector>

#include "codegen/load/placed_text.h"
#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

inline constexpr char kNoTestCall[] = "a test is a call: `add(f32[2], f32[2], alpha=2) with opset=[9, 11]`";

// Reads a call of one of an entry's operators, and reports mistakes. The namespace may be left out of the name. Without
// an overload, the name means all overloads of the entry. `each` means every operator of the entry that takes the
// arguments.
TestCase ReadTestCall(const PlacedText& text, const std::vector<std::string>& operators, Diagnostics* diagnostics);

// Returns the operators that a name in a test means.
std::vector<std::string> OperatorsNamed(const std::string& name, const std::vector<std::string>& operators);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_TEST_CALL_H_
