// Joins names for a message.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_JOIN_NAMES_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_JOIN_NAMES_H_

#include <string>
#include <vector>

namespace onnxport::passes {

// "a, b and 3 more": the first eight; "none".
std::string JoinNames(const std::vector<std::string>& names);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_JOIN_NAMES_H_
