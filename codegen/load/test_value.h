// Reads the values in the calls of `tests:`.
#ifndef ONNXPORT_CODEGEN_LOAD_TEST_VALUE_H_
#define ONNXPORT_CODEGEN_LOAD_TEST_VALUE_H_

#include <optional>
#include <string>
#include <vector>

#include "codegen/load/placed_text.h"
#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

// `f32[2,3]`, `i64[4] in 0..9`, a constant, a list of values. Nothing after an error.
std::optional<TestValue> ReadTestValue(const PlacedText& text, Diagnostics* diagnostics);

// Splits at commas outside of brackets and quotes, and trims the parts.
std::vector<PlacedText> SplitArguments(const PlacedText& text);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_TEST_VALUE_H_
