// YAML text -> SpecFile. spec/README.md describes the language.
#ifndef ONNXPORT_CODEGEN_LOAD_LOAD_H_
#define ONNXPORT_CODEGEN_LOAD_LOAD_H_

#include <optional>
#include <string>

#include "codegen/load/libraries.h"
#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

// Reads one spec file. `path` is for messages; its stem is the family. The text is not trusted: every mistake is an
// error with its place, for any bytes. Entries with mistakes are left out of the result, so that later checks can go on
// with the others. Returns nothing if the file as a whole or a shared `def` cannot be read. Definitions of `libraries`
// that the file calls are added to it. If `libraries` is null, imports are read but not followed, for callers that do
// not need the meaning of calls.
std::optional<SpecFile> LoadSpecFile(const std::string& path, std::string text, Diagnostics* diagnostics,
                                     const Libraries* libraries = nullptr);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_LOAD_H_
