// Reads weights in a safetensors file: the length of a header in 8 bytes, the header as JSON, and the tensors' bytes.
#ifndef ONNXPORT_RUNTIME_SOURCES_WEIGHTS_SAFETENSORS_H_
#define ONNXPORT_RUNTIME_SOURCES_WEIGHTS_SAFETENSORS_H_

#include <map>
#include <memory>
#include <string>

#include "runtime/archive/byte_source.h"
#include "runtime/ir/graph.h"

namespace onnxport::weights {

using NamedTensors = std::map<std::string, std::shared_ptr<const ir::TensorData>>;

// Decides by the first bytes; every ZIP begins differently.
bool IsSafetensors(const archive::ByteSource& bytes);

// Reads only the header now; tensors are streamed later. Throws Error (kBadInput) for a damaged file: a truncated or
// invalid header, an unknown dtype, or a tensor outside the file. The size in bytes must match dtype and shape.
NamedTensors ReadSafetensors(const std::shared_ptr<const archive::ByteSource>& bytes);

}  // namespace onnxport::weights

#endif  // ONNXPORT_RUNTIME_SOURCES_WEIGHTS_SAFETENSORS_H_
