// The ONNX Runtimes that tests use.
#ifndef ONNXPORT_TESTS_ORT_CLIENT_H_
#define ONNXPORT_TESTS_ORT_CLIENT_H_

#include "runtime/verify/ort/client.h"

namespace onnxport::ort {

// The newest opset that some ONNX Runtime here runs.
inline constexpr int kNewestOpset = 28;

// The client that can run an opset: the distribution's ONNX Runtime, the newer one for opsets that it does not know,
// and ONNX's reference evaluator for what is newer still. Shared by the tests of a process.
Client& ClientFor(int opset);

// ONNX's reference evaluator.
Client& ReferenceClient();

}  // namespace onnxport::ort

#endif  // ONNXPORT_TESTS_ORT_CLIENT_H_
