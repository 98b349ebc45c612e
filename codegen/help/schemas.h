// Describes an ONNX operator in lines of text.
#ifndef ONNXPORT_CODEGEN_HELP_SCHEMAS_H_
#define ONNXPORT_CODEGEN_HELP_SCHEMAS_H_

#include <string>
#include <string_view>
#include <vector>

namespace onnxport::codegen {

// Returns a line for each form of the operator at our opsets: "  opset 13 to 28: ReduceSum(data: T, axes:
// tensor(int64)?, keepdims: int?) -> reduced: T; T: {float32, ...}". Empty for an unknown operator.
std::string OnnxText(std::string_view op);

// The same for one argument: "  opset 7 to 12: attribute, ints". Empty if no form has it.
std::string OnnxArgumentText(std::string_view op, std::string_view argument);

struct OnnxArgument {
  std::string name;
  std::string what;
};
// Returns the arguments of the newest form.
std::vector<OnnxArgument> OnnxArguments(std::string_view op);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_HELP_SCHEMAS_H_
