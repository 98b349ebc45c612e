// Names in a message.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_LISTED_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_LISTED_H_

#include <string>
#include <vector>

namespace onnxport::passes {

// "a, b and 3 more": the first eight; "none".
std::string Listed(const std::vector<std::string>& names);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_LISTED_H_
