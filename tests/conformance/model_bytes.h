// A model as ONNX Runtime takes it, without a file.
#ifndef ONNXPORT_TESTS_CONFORMANCE_MODEL_BYTES_H_
#define ONNXPORT_TESTS_CONFORMANCE_MODEL_BYTES_H_

#include <string>

#include "runtime/ir/graph.h"

namespace onnxport::conformance {

// A serialized ModelProto, as serializer::Write writes it. Throws as that does.
std::string ModelBytes(const ir::Graph& graph);

}  // namespace onnxport::conformance

#endif  // ONNXPORT_TESTS_CONFORMANCE_MODEL_BYTES_H_
