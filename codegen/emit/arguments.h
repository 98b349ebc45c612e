// Internal to WriteFunction: the arguments of an overload.
#ifndef ONNXPORT_CODEGEN_EMIT_ARGUMENTS_H_
#define ONNXPORT_CODEGEN_EMIT_ARGUMENTS_H_

#include <set>
#include <string>

#include "codegen/emit/block.h"
#include "codegen/specialize/specialize.h"

namespace onnxport::codegen {

// Adds the arguments that the function reads, their refinements, and their promotion. `used` are the names that some
// expression reads.
void AddArguments(const SpecializedEntry& entry, const std::set<std::string>& used, BlockWriter* block);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_ARGUMENTS_H_
