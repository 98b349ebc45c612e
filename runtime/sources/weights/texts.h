// Describes weights in messages.
#ifndef ONNXPORT_RUNTIME_SOURCES_WEIGHTS_TEXTS_H_
#define ONNXPORT_RUNTIME_SOURCES_WEIGHTS_TEXTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/ir/dtype.h"

namespace onnxport::weights {

// "a, b, c, d, e and 3 more"
std::string ListText(std::vector<std::string> names);
// "float32[4, 3]"
std::string TypeText(ir::DType dtype, const std::vector<int64_t>& shape);

}  // namespace onnxport::weights

#endif  // ONNXPORT_RUNTIME_SOURCES_WEIGHTS_TEXTS_H_
