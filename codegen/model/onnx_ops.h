// The ONNX operators of all opsets, as the runtime reads them (runtime/lowering/types/op_info.h).
#ifndef ONNXPORT_CODEGEN_MODEL_ONNX_OPS_H_
#define ONNXPORT_CODEGEN_MODEL_ONNX_OPS_H_

#include <string>
#include <string_view>
#include <vector>

#include "runtime/lowering/types/op_info.h"

namespace onnxport::codegen {

using lowering::AttributeInfo;
using lowering::AttributeKind;
using lowering::FormalParameter;
using lowering::OpInfo;

// First and last opset that the project writes: 7 and the newest that libonnx knows.
int FirstOpset();
int LastOpset();

// The form that an opset has of "Relu" or "com.microsoft.Gelu"; it may be deprecated. Null when there is none (yet).
const OpInfo* FindOp(std::string_view op, int opset);

// All forms of an operator, oldest first; empty for an unknown name.
std::vector<const OpInfo*> FormsOf(std::string_view op);

// Names of the operators of the default domain, sorted.
const std::vector<std::string>& OpNames();

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_MODEL_ONNX_OPS_H_
