// Exports a module of this program, which calls operators of foo_ops.cc: custom_op OUT.onnx
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/torch.h>

#include <iostream>

#include "onnxport/torch.h"

namespace {

// A call of an operator that TORCH_LIBRARY registers.
torch::Tensor FooForward(const torch::Tensor& input1, const torch::Tensor& input2, double attr1, int64_t attr2) {
  static const auto op = c10::Dispatcher::singleton()
                             .findSchemaOrThrow("custom_ops::foo_forward", "")
                             .typed<torch::Tensor(const torch::Tensor&, const torch::Tensor&, double, int64_t)>();
  return op.call(input1, input2, attr1, attr2);
}

torch::Tensor Swish(const torch::Tensor& x, double beta) {
  static const auto op = c10::Dispatcher::singleton()
                             .findSchemaOrThrow("custom_ops::swish", "")
                             .typed<torch::Tensor(const torch::Tensor&, double)>();
  return op.call(x, beta);
}

struct FooModelImpl : torch::nn::Module {
  FooModelImpl(double attr1, int64_t attr2)
      : attr1(attr1), attr2(attr2), weight(register_parameter("weight", torch::rand({3, 4}))) {}

  torch::Tensor forward(const torch::Tensor& x) { return Swish(FooForward(x, weight, attr1, attr2), 2.0); }

  double attr1;
  int64_t attr2;
  torch::Tensor weight;
};
TORCH_MODULE(FooModel);

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: custom_op OUT.onnx\n";
    return 2;
  }
  FooModel net(0.5, 2);
  onnxport::ExportOptions options{.opset = 18};
  options.inputs.push_back(onnxport::TensorInput("x", {onnxport::Sym("batch"), 4}));
  const auto model = onnxport::Export(net, {torch::ones({2, 4})}, options);
  if (!model) {
    std::cerr << model.error().Text() << "\n";
    return 1;
  }
  if (const auto saved = model->Save(argv[1]); !saved) {
    std::cerr << saved.error().Text() << "\n";
    return 1;
  }
  return 0;
}
