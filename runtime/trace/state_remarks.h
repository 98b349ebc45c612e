// Remarks for the user about state that is dropped.
#ifndef ONNXPORT_RUNTIME_TRACE_STATE_REMARKS_H_
#define ONNXPORT_RUNTIME_TRACE_STATE_REMARKS_H_

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace onnxport::trace {

inline std::string InputRemark(std::string_view name) {
  return fmt::format(
      "input '{}' is not written to: an ONNX model does not change its inputs; <<state_as_io>> makes an "
      "output of the new value",
      name);
}

// For a value that no option can keep.
inline std::string NotKeptRemark(std::string_view name) {
  return fmt::format("the new value of '{}' is not kept: an ONNX model has no state", name);
}

inline std::string WeightRemark(std::string_view name) {
  return NotKeptRemark(name) + "; <<state_as_io>> makes it an input and an output";
}

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_STATE_REMARKS_H_
