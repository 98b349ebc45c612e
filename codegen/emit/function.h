// Writes the C++ function of an overload.
#ifndef ONNXPORT_CODEGEN_EMIT_FUNCTION_H_
#define ONNXPORT_CODEGEN_EMIT_FUNCTION_H_

#include <set>
#include <string>

#include "codegen/emit/arms.h"
#include "codegen/emit/cpp.h"
#include "codegen/specialize/specialize.h"

namespace onnxport::codegen {

// Returns the body of an overload's function. `entry` is specialized for kAnyOpset. `arms` is null outside the coverage
// test.
cpp::Block WriteFunction(const SpecializedEntry& entry, Arms* arms);

// Returns the defs of the file that the mapping calls.
std::set<std::string> FileDefsOf(const Mapping& mapping);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_FUNCTION_H_
