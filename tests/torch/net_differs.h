// The same of modules and callables: with the bulk of LibTorch's headers.
#ifndef ONNXPORT_TESTS_TORCH_NET_DIFFERS_H_
#define ONNXPORT_TESTS_TORCH_NET_DIFFERS_H_

#include <string>

#include "onnxport/torch.h"
#include "tests/torch/against_eager.h"

namespace onnxport::tests {

template <typename Net>
std::string NetDiffers(Net&& net, const Run& run) {
  return Differs(ProgramOf(net), run);
}

}  // namespace onnxport::tests

#endif  // ONNXPORT_TESTS_TORCH_NET_DIFFERS_H_
