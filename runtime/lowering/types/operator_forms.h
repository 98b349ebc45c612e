// The forms of ONNX's operators. Each is made on first use: to make all of them, as ONNX's own registry does, takes
// longer than most exports.
#ifndef ONNXPORT_RUNTIME_LOWERING_TYPES_OPERATOR_FORMS_H_
#define ONNXPORT_RUNTIME_LOWERING_TYPES_OPERATOR_FORMS_H_

#include <span>
#include <string_view>

namespace onnx {
class OpSchema;
}

namespace onnxport::lowering {

struct OperatorForm {
  std::string_view name;
  int since = 0;  // the opset that introduced it
  onnx::OpSchema (*make)() = nullptr;
};

// The forms of the standard domain: by name, then by opset.
std::span<const OperatorForm> OperatorForms();

// The newest form of `name` at `opset`, or null.
const OperatorForm* FindForm(std::string_view name, int opset);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_TYPES_OPERATOR_FORMS_H_
