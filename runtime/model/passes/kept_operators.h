// Operators of ONNX that a user can ask for by name (`--keep`), because something becomes them then.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_KEPT_OPERATORS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_KEPT_OPERATORS_H_

#include <span>
#include <string_view>

namespace onnxport::passes {

struct KeptOperator {
  std::string_view name;
  int since;                      // the first opset at which something becomes it
  std::string_view in_place_of;   // what it stands for, in a few words
  std::string_view further = {};  // what becomes of it where a domain is allowed: "com.microsoft.GroupQueryAttention"
};

// In the order of docs/fused.md. A new one is a row here, and a pass in passes.cc or a case with `keeps("...")` in a
// spec.
std::span<const KeptOperator> KeptOperators();

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_KEPT_OPERATORS_H_
