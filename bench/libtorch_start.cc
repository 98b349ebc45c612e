// Measures LibTorch by itself: its start, and with an argument the loading of that `.pt`. For compare.py.
#include <ATen/core/Tensor.h>
#include <ATen/ops/ones.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <iostream>

int main(int argc, char** argv) {
  at::Tensor one = at::ones({1});
  if (argc > 1) {
    const torch::jit::Module module = torch::jit::load(argv[1]);
    one += static_cast<double>(module.parameters().size());
  }
  std::cout << one.item<float>() << "\n";
  return 0;
}
