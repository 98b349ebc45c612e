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

// Reports imports that name no library, and calls of a library that is not imported. Reports definitions of the file
// that have the same name as one of an imported library, direct or not. Notes which imports are used. Returns the names
// of the definitions of libraries that the file calls itself, or gives to others.
std::set<std::string> CheckImports(const Libraries& libraries, SpecFile* file, Diagnostics* diagnostics);

// The same, and adds these definitions, and those that they call, before the file's own.
void FollowImports(const Libraries& libraries, SpecFile* file, Diagnostics* diagnostics);

// Not while the file is read: an entry with mistakes is left out of it, which may be the one that calls something.
void CheckImportsUsed(std::span<const Import> imports, Diagnostics* diagnostics);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_IMPORTS_H_
