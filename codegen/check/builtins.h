// The functions of the spec language: how many arguments they take, and what they are called in C++.
#ifndef ONNXPORT_CODEGEN_CHECK_BUILTINS_H_
#define ONNXPORT_CODEGEN_CHECK_BUILTINS_H_

#include <span>
#include <string_view>

#include "codegen/model/expr.h"

namespace onnxport::codegen {

struct Builtin {
  std::string_view name;  // in specs
  std::string_view cpp;   // in runtime/lowering/val.h
  int min_args;
  int max_args;
  bool returns_bool = false;  // a C++ bool; others return Val
};

// Null for another name. `opset` and `domain` are decided while building and are not listed.
const Builtin* FindBuiltin(std::string_view name);

std::span<const Builtin> Builtins();  // sorted by name

// `Relu(...)`, `com.microsoft.Gelu(...)`
bool IsOnnxCall(const Expr& expr);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_BUILTINS_H_
