// Nodes that a program adds to its model by itself. Included by "onnxport/torch.h"; a library of operators may include
// this alone, which leaves the bulk of LibTorch's headers out. Link //:onnxport_torch.
#ifndef ONNXPORT_TORCH_CUSTOM_H_
#define ONNXPORT_TORCH_CUSTOM_H_

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace onnxport {

// Returns whether this thread is inside of an export, for code of a model that should then do something else.
bool IsExporting();

// An attribute of a node. Floats are float32 there.
using CustomAttribute =
    std::variant<int64_t, double, std::string, std::vector<int64_t>, std::vector<double>, std::vector<std::string>>;
using CustomAttributes = std::vector<std::pair<std::string, CustomAttribute>>;

// Returns `run(inputs)`. While this thread exports, the model gets one node in its place: `op` of `domain` ("" for
// ONNX's own), with these inputs and attributes. An undefined tensor is an input that is left out. The calls in `run`
// are not exported.
//
//   y = onnxport::Custom("com.example", "Scale", {{"factor", 2.0}}, {x},
//                        [](const std::vector<at::Tensor>& inputs) { return my_scale(inputs[0], 2.0); });
//
// The results have the dtypes and sizes that `run` returned. Sizes that vary with those of the inputs are computed from
// them, as other numbers are. `run` must return new tensors and write to none of its inputs (else kCannotExport). If a
// schema describes the node, the node is checked against it. The model imports version 1 of the domain, or the one of
// ExportOptions::map.
using CustomRun = std::function<std::vector<at::Tensor>(const std::vector<at::Tensor>& inputs)>;
std::vector<at::Tensor> CustomTensors(const std::string& domain, const std::string& op,
                                      const CustomAttributes& attributes, const std::vector<at::Tensor>& inputs,
                                      const CustomRun& run);

// The same, for a function with one result and for one with several.
template <typename Run>
auto Custom(const std::string& domain, const std::string& op, const CustomAttributes& attributes,
            const std::vector<at::Tensor>& inputs, Run&& run) {
  if constexpr (std::is_convertible_v<std::invoke_result_t<Run, const std::vector<at::Tensor>&>, at::Tensor>) {
    return CustomTensors(domain, op, attributes, inputs,
                         [&](const std::vector<at::Tensor>& given) { return std::vector<at::Tensor>{run(given)}; })
        .at(0);
  } else {
    return CustomTensors(domain, op, attributes, inputs, std::forward<Run>(run));
  }
}

}  // namespace onnxport

#endif  // ONNXPORT_TORCH_CUSTOM_H_
