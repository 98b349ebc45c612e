// Weights in a safetensors file: the length of a header in 8 bytes, the header as JSON, and the tensors' bytes.
#ifndef ONNXPORT_RUNTIME_SOURCES_WEIGHTS_SAFETENSORS_H_
#define ONNXPORT_RUNTIME_SOURCES_WEIGHTS_SAFETENSORS_H_

#include <map>
#include <memory>
#include <string>

#include "runtime/archive/byte_source.h"
#include "runtime/ir/graph.h"

namespace onnxport::weights {

using NamedTensors = std::map<std::string, std::shared_ptr<const ir::TensorData>>;

// By its first bytes; every ZIP begins otherwise.
bool IsSafetensors(const archive::ByteSource& bytes);

// Nothing but the header is read now; tensors are streamed. Throws Error (kBadInput) for what is damaged: a header that
// is cut off or no JSON, places outside of the file or of another size than dtype and shape say, an unknown dtype.
NamedTensors ReadSafetensors(const std::shared_ptr<const archive::ByteSource>& bytes);

}  // namespace onnxport::weights

#endif  // ONNXPORT_RUNTIME_SOURCES_WEIGHTS_SAFETENSORS_H_
