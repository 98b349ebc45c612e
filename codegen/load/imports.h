// Finds the definitions that a spec file calls in the libraries that it imports.
#ifndef ONNXPORT_CODEGEN_LOAD_IMPORTS_H_
#define ONNXPORT_CODEGEN_LOAD_IMPORTS_H_

#include <set>
#include <span>
#include <string>

#include "codegen/load/libraries.h"
#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

// Reports imports of unknown libraries, and calls of libraries that are not imported. Reports definitions of the file
// with the same name as one of an imported library, direct or not. Marks used imports. Returns the names of the library
// definitions that the file itself calls or passes on.
std::set<std::string> CheckImports(const Libraries& libraries, SpecFile* file, Diagnostics* diagnostics);

// The same, and inserts these definitions, and those that they call, before the file's own.
void FollowImports(const Libraries& libraries, SpecFile* file, Diagnostics* diagnostics);

// Not checked while the file is read: an entry with mistakes is left out of it, and may have the only call.
void CheckImportsUsed(std::span<const Import> imports, Diagnostics* diagnostics);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_IMPORTS_H_
