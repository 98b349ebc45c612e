// What float operators do with a quantized tensor.
#ifndef ONNXPORT_RUNTIME_TORCHSCRIPT_INTERPRET_GRID_RULES_H_
#define ONNXPORT_RUNTIME_TORCHSCRIPT_INTERPRET_GRID_RULES_H_

#include <cstdint>
#include <string_view>

namespace onnxport::torchscript {

struct GridRule {
  enum class Kind {
    kUnknown,   // LibTorch has no such operator on quantized tensors, or it is not known how that rounds
    kPlain,     // the result is no quantized tensor
    kPassed,    // a list or a cast: values go through as they are
    kKept,      // the result's values are on the first input's grid by themselves
    kRounded,   // LibTorch rounds the result to the first input's grid
    kOwnScale,  // LibTorch rounds the result to a grid that the operator has
  };
  Kind kind = Kind::kUnknown;
  // Of kOwnScale.
  double scale = 0;
  int64_t unsigned_zero_point = 0;  // for quint8
  int64_t signed_zero_point = 0;    // for qint8
};

// Of an operator without its namespace and without the `_` of its in-place form; source: LibTorch's QuantizedCPU
// kernels.
GridRule GridRuleOf(std::string_view name);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_TORCHSCRIPT_INTERPRET_GRID_RULES_H_
