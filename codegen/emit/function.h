// The C++ function of an overload.
#ifndef ONNXPORT_CODEGEN_EMIT_FUNCTION_H_
#define ONNXPORT_CODEGEN_EMIT_FUNCTION_H_

#include <set>
#include <string>

#include "codegen/emit/arms.h"
#include "codegen/emit/cpp.h"
#include "codegen/specialize/specialize.h"

namespace onnxport::codegen {

// The body of an overload's function; `entry` is specialized for kAnyOpset. `arms`: null in the product.
cpp::Block WriteFunction(const SpecializedEntry& entry, Arms* arms);

// The defs of the file that expressions call.
std::set<std::string> FileDefsOf(const Mapping& mapping);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_FUNCTION_H_
