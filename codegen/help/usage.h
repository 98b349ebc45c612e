// Shows how a function of the language is called.
#ifndef ONNXPORT_CODEGEN_HELP_USAGE_H_
#define ONNXPORT_CODEGEN_HELP_USAGE_H_

#include <string>

#include "runtime/lowering/dsl/builtin_table.h"

namespace onnxport::codegen {

// "range(a[, b[, step]])"
inline std::string Usage(const lowering::BuiltinInfo& builtin) {
  std::string params;
  for (int i = 0; i < builtin.max_args(); ++i) {
    params += i < builtin.min_args() ? "" : "[";
    params += (i == 0 ? "" : ", ") + std::string(builtin.params[static_cast<size_t>(i)].name);
  }
  return std::string(builtin.name) + "(" + params + std::string(static_cast<size_t>(builtin.optional), ']') + ")";
}

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_HELP_USAGE_H_
