// The elements of a tensor of the protocol.
#ifndef ONNXPORT_RUNTIME_VERIFY_ORT_ELEMENTS_H_
#define ONNXPORT_RUNTIME_VERIFY_ORT_ELEMENTS_H_

#include <cstddef>
#include <string>

#include "runtime/verify/ort/protocol.h"

namespace onnxport::ort {

// The tensor is no sequence, and not complex.
size_t CountOf(const Tensor& tensor);
double ElementOf(const Tensor& tensor, size_t i);         // rounded, where a double cannot hold an int64
std::string ElementText(const Tensor& tensor, size_t i);  // whole numbers in full

// "float32[2,3]"
std::string TypeText(const Tensor& tensor);

// "float32[2,3]: 1 nan -0 ..." with at most that many values.
std::string ToText(const Tensor& tensor, size_t most);

// The largest finite magnitude of a float tensor; 0 for an empty or another one. A deep float32 network rounds relative
// to its activations, so elements near zero are as far off as the others.
double Largest(const Tensor& tensor);

}  // namespace onnxport::ort

#endif  // ONNXPORT_RUNTIME_VERIFY_ORT_ELEMENTS_H_
