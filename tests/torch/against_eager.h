// Models of programs of LibTorch, run in ONNX Runtime against the programs.
#ifndef ONNXPORT_TESTS_TORCH_AGAINST_EAGER_H_
#define ONNXPORT_TESTS_TORCH_AGAINST_EAGER_H_

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <string>
#include <vector>

#include "onnxport/torch_export.h"

namespace onnxport::tests {

// Tensors in a result, in order.
std::vector<at::Tensor> Leaves(const c10::IValue& value);

// The difference between ONNX Runtime's results for the model and `expected`; empty if there is none.
std::string DifferenceFrom(const Model& model, const std::vector<at::Tensor>& inputs,
                           const std::vector<at::Tensor>& expected);

// Exports the program, and runs the model with each of `runs` against it. Empty, "refused: ...", or what differs.
struct Run {
  std::vector<c10::IValue> examples;
  std::vector<std::vector<c10::IValue>> others = {};  // with other sizes of the free axes
  ExportOptions options = {};
};
std::string Differs(const TorchProgram& program, const Run& run);

}  // namespace onnxport::tests

#endif  // ONNXPORT_TESTS_TORCH_AGAINST_EAGER_H_
