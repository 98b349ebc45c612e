// Checks the names in expressions: each is defined before its use, is used, and hides no other. Functions exist and get
// the right number of arguments.
#ifndef ONNXPORT_CODEGEN_CHECK_NAME_CHECK_H_
#define ONNXPORT_CODEGEN_CHECK_NAME_CHECK_H_

#include <set>
#include <string>

#include "codegen/source/diagnostics.h"
#include "codegen/specialize/specialize.h"

namespace onnxport::codegen {

// Checks the defs of a file.
void CheckFileDefs(const std::vector<Def>& defs, Diagnostics* diagnostics);

// Reports defs of a file that nothing calls.
void CheckDefsUsed(const SpecializedSpec& spec, Diagnostics* diagnostics);

// Checks one entry. `arguments` are those of all its overloads.
void CheckEntryNames(const OpEntry& entry, const std::set<std::string>& arguments, const std::vector<Def>& file_defs,
                     Diagnostics* diagnostics);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_NAME_CHECK_H_
