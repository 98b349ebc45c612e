// Describes an ONNX operator in lines of text.
#ifndef ONNXPORT_CODEGEN_HELP_SCHEMAS_H_
#define ONNXPORT_CODEGEN_HELP_SCHEMAS_H_

#include <string>
#include <string_view>
#include <vector>

namespace onnxport::codegen {

// "  opset 13 to 28: ReduceSum(data: T, axes: tensor(int64)?, keepdims: int?) -> reduced: T; T: {float32, ...}", a line
// for each form that an opset of ours has. Empty for an unknown operator.
std::string OnnxText(std::string_view op);

// The same of one argument: "  opset 7 to 12: attribute, ints". Empty where no form has it.
std::string OnnxArgumentText(std::string_view op, std::string_view argument);

struct OnnxArgument {
  std::string name;
  std::string what;
};
// The arguments of the newest form.
std::vector<OnnxArgument> OnnxArguments(std::string_view op);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_HELP_SCHEMAS_H_
