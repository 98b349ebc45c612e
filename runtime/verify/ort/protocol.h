// Messages between a program and the ONNX Runtime process, and the tensors in them.
//
// ONNX Runtime lives in a process of its own, for two reasons. It shares schema registration with libonnx (hundreds of
// "already registered" lines when both are in one process). And a failure of it must not take the program down.
#ifndef ONNXPORT_RUNTIME_VERIFY_ORT_PROTOCOL_H_
#define ONNXPORT_RUNTIME_VERIFY_ORT_PROTOCOL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/ir/dtype.h"

namespace onnxport::ort {

// Row-major, little-endian. Bools are one byte each. A sequence of tensors has its elements, and nothing else.
struct Tensor {
  std::string name;
  ir::DType dtype = ir::DType::kUndefined;
  std::vector<int64_t> shape;
  std::string bytes;
  bool is_sequence = false;
  std::vector<Tensor> elements = {};
};

struct Request {
  std::string model_path;   // a file; or empty and
  std::string model_bytes;  // a serialized ModelProto; both empty: the model of the request before
  std::vector<Tensor> inputs;
};

// The error starts with this when ONNX Runtime has no kernel for a node of a valid model.
inline constexpr const char* kNotImplemented = "NOT_IMPLEMENTED: ";

struct Response {
  std::string error;  // empty: `outputs` holds
  std::vector<Tensor> outputs;
};

// One message over a pipe: an 8-byte length, then fields in order. False/nothing at the end of the stream. Both ends
// are built from one source, so numbers are in the machine's order and the reader trusts the lengths.
bool Send(int fd, const Request& request);
bool Send(int fd, const Response& response);
std::optional<Request> ReceiveRequest(int fd);
std::optional<Response> ReceiveResponse(int fd);

// Returns true if something comes within that time, be it the end of the stream.
bool Comes(int fd, int seconds);

}  // namespace onnxport::ort

#endif  // ONNXPORT_RUNTIME_VERIFY_ORT_PROTOCOL_H_
