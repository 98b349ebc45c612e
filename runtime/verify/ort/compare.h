// Comparison of what ONNX Runtime gave with what PyTorch gave.
#ifndef ONNXPORT_RUNTIME_VERIFY_ORT_COMPARE_H_
#define ONNXPORT_RUNTIME_VERIFY_ORT_COMPARE_H_

#include <cstddef>
#include <string>

#include "runtime/verify/ort/protocol.h"

namespace onnxport::ort {

struct Tolerance {
  double relative = 1e-4;
  double absolute = 1e-5;
  // Values nearer to zero than this, but not zero, must agree relatively: they are no leftovers of a cancellation.
  double tiny = 0;
  bool zero_sign = false;  // -0.0 is not 0.0
};

struct Comparison {
  std::string type;  // what differs in dtype or shape; then there is nothing more
  size_t count = 0;  // elements
  size_t wrong = 0;  // those beyond the tolerance
  size_t first = 0;  // of those
  size_t worst = 0;  // of those
  // Errors of all elements: infinite where only one is NaN or infinite. Relative ones leave out what is expected to be
  // 0.
  double max_absolute = 0;
  double max_relative = 0;
  bool agrees() const { return type.empty() && wrong == 0; }
};

// The tensors are no sequences. NaN equals NaN, infinities must agree; integers and bools must be equal, in all 64
// bits.
Comparison Compare(const Tensor& actual, const Tensor& expected, const Tolerance& tolerance);

// The same as text: what differs, dtype and shape first, then the worst element; empty when nothing does. `values`
// false: only dtype and shape. Sequences element by element.
std::string Difference(const Tensor& actual, const Tensor& expected, const Tolerance& tolerance, bool values = true);

}  // namespace onnxport::ort

#endif  // ONNXPORT_RUNTIME_VERIFY_ORT_COMPARE_H_
