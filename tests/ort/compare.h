// Comparison of what ONNX Runtime gave with what PyTorch gave.
#ifndef ONNXPORT_TESTS_ORT_COMPARE_H_
#define ONNXPORT_TESTS_ORT_COMPARE_H_

#include <string>

#include "tests/ort/protocol.h"

namespace onnxport::ort {

struct Tolerance {
  double relative = 1e-4;
  double absolute = 1e-5;
};

// What differs, dtype and shape first, then the worst element; empty when nothing does. NaN equals NaN, infinities
// must agree; integers and bools must be equal. `values` false: only dtype and shape.
std::string Difference(const Tensor& actual, const Tensor& expected, const Tolerance& tolerance, bool values = true);

}  // namespace onnxport::ort

#endif  // ONNXPORT_TESTS_ORT_COMPARE_H_
