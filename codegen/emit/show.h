// Answers questions of users: the code for one operator, and the changes of a newer opset.
#ifndef ONNXPORT_CODEGEN_EMIT_SHOW_H_
#define ONNXPORT_CODEGEN_EMIT_SHOW_H_

#include <string>
#include <vector>

#include "codegen/check/check.h"
#include "codegen/emit/template.h"

namespace onnxport::codegen {

// The generated code of an overload ("aten::softmax.int"), or of all overloads of a base name, at each run of opsets,
// with the ONNX operator versions in use. Empty when no spec claims it.
std::string Show(const std::vector<CheckedSpec>& specs, const std::string& name, Templates* templates);

// The changes at the step to an opset: entries whose code or schemas change, arguments that moved between attribute and
// input, new dtypes, and new operators that no spec uses.
std::string WhatChanged(const std::vector<CheckedSpec>& specs, int opset, Templates* templates);

// Overloads of claimed base names that nobody claims, in-place and out forms aside: "aten::conv2d.padding".
std::vector<std::string> Unclaimed(const std::vector<CheckedSpec>& specs);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_SHOW_H_
