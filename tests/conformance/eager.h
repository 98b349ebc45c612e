// Calls an ATen operator in LibTorch. The only header here behind which torch is included.
#ifndef ONNXPORT_TESTS_CONFORMANCE_EAGER_H_
#define ONNXPORT_TESTS_CONFORMANCE_EAGER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/verify/ort/protocol.h"

namespace onnxport::conformance {

// The description of one result of a call.
struct EagerResult {
  struct Memory {
    bool shared = false;  // with an argument
    bool row_major = false;
  };
  enum class Kind { kTensor, kTensorList, kNone } kind = Kind::kNone;
  std::vector<ort::Tensor> tensors;  // one for kTensor (a number is a 0-d one), any number for kTensorList
  std::vector<Memory> memory;        // of each of `tensors`
};

// Calls `overload` ("aten::add.Tensor") with one Arg per schema argument; a ValueId N stands for tensors[N].
// Throws std::exception with PyTorch's text when it refuses the call. `seed`: of what is random.
std::vector<EagerResult> RunEagerly(const std::string& overload, const std::vector<ir::Arg>& args,
                                    const std::vector<ort::Tensor>& tensors, uint64_t seed = 0);

// Returns whether the operator may draw random numbers, according to PyTorch.
bool MayDraw(const std::string& overload);

}  // namespace onnxport::conformance

#endif  // ONNXPORT_TESTS_CONFORMANCE_EAGER_H_
