// Internal to WriteFunction: the names that the function of an entry defines and calls.
#ifndef ONNXPORT_CODEGEN_EMIT_FUNCTION_NAMES_H_
#define ONNXPORT_CODEGEN_EMIT_FUNCTION_NAMES_H_

#include <set>
#include <string>

#include "codegen/specialize/specialize.h"

namespace onnxport::codegen {

// Returns every name that it defines: arguments, lets, results.
std::set<std::string> NamesOf(const Mapping& mapping, const ir::AtenSchema& schema);
std::set<std::string> NamesOf(const Def& def);

// Returns every C++ function that it calls.
std::set<std::string> CalledBy(const Mapping& mapping);
std::set<std::string> CalledBy(const Def& def);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_FUNCTION_NAMES_H_
