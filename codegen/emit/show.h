// Answers questions of users: shows the code for one operator, or the changes of a newer opset.
#ifndef ONNXPORT_CODEGEN_EMIT_SHOW_H_
#define ONNXPORT_CODEGEN_EMIT_SHOW_H_

#include <string>
#include <vector>

#include "codegen/check/check.h"
#include "codegen/emit/template.h"

namespace onnxport::codegen {

// Shows the generated code of an overload ("aten::softmax.int"), or of all overloads of a name, at each range of
// opsets, with the ONNX operator versions in use. Empty if no spec claims it.
std::string Show(const std::vector<CheckedSpec>& specs, const std::string& name, Templates* templates);

// The changes at the step to an opset: entries whose code or schemas change, arguments that moved between attribute and
// input, new dtypes, and new operators that no spec uses.
std::string WhatChanged(const std::vector<CheckedSpec>& specs, int opset, Templates* templates);

// Returns overloads that no spec claims although it claims their base name, without in-place and out forms:
// "aten::conv2d.padding".
std::vector<std::string> Unclaimed(const std::vector<CheckedSpec>& specs);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_SHOW_H_
