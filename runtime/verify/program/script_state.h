// The state that a TorchScript module keeps from call to call, by the names of a model's state.
#ifndef ONNXPORT_RUNTIME_VERIFY_PROGRAM_SCRIPT_STATE_H_
#define ONNXPORT_RUNTIME_VERIFY_PROGRAM_SCRIPT_STATE_H_

#include <ATen/core/Tensor.h>
#include <torch/csrc/jit/api/module.h>

#include <optional>
#include <string>

namespace onnxport::verify {

// The tensor at a path of attributes, keys and positions: "cache.k", "shifts.0". Nothing if there is none.
std::optional<at::Tensor> FindState(const torch::jit::Module& module, const std::string& path);

}  // namespace onnxport::verify

#endif  // ONNXPORT_RUNTIME_VERIFY_PROGRAM_SCRIPT_STATE_H_
