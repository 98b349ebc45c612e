// Expressions as text, in the spec language: for messages and generated comments.
#ifndef ONNXPORT_CODEGEN_MODEL_SPEC_TEXT_H_
#define ONNXPORT_CODEGEN_MODEL_SPEC_TEXT_H_

#include <string>

#include "codegen/model/expr.h"

namespace onnxport::codegen {

std::string SpecText(const Expr& expr);

// A number as C++ and the spec language write it, shortest that reads back the same: "0.1", "1.0", "1e-05".
std::string FloatText(double value);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_MODEL_SPEC_TEXT_H_
