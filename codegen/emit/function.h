// The C++ functions of an overload and of a def.
#ifndef ONNXPORT_CODEGEN_EMIT_FUNCTION_H_
#define ONNXPORT_CODEGEN_EMIT_FUNCTION_H_

#include <set>
#include <span>
#include <string>

#include "codegen/check/fold.h"
#include "codegen/emit/cpp.h"

namespace onnxport::codegen {

// `entry` folded for kAnyOpset; `file_defs`: the defs that it may call besides its own.
cpp::Block WriteFunction(const FoldedEntry& folded);

// A def of the file, folded in the same way: "static Val conv(Context& c, const Val& x)".
cpp::Function WriteDef(const Def& def);

// The defs of the file that expressions call.
std::set<std::string> FileDefsOf(const OpEntry& entry);

// "spec/aten/norm.yaml:12"
std::string PlaceText(const Place& place);
// "spec/aten/norm.yaml:12 case 2"
std::string CaseId(const OpEntry& entry, int number);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_FUNCTION_H_
