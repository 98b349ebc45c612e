// A hash of a weight's elements.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_RECIPES_HASH_OF_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_RECIPES_HASH_OF_H_

#include <string>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// The hash of type and elements, as 32 hexadecimal digits.
std::string HashOf(const ir::TensorData& data);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_RECIPES_HASH_OF_H_
