// YAML text -> SpecFile. What a spec may say is in spec/README.md.
#ifndef ONNXPORT_CODEGEN_LOAD_LOAD_H_
#define ONNXPORT_CODEGEN_LOAD_LOAD_H_

#include <optional>
#include <string>

#include "codegen/load/libraries.h"
#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

// Reads one spec file; `path` is for messages, its stem is the family. The text is not trusted: every mistake is an
// error with its place, whatever the bytes are. Entries with mistakes are left out of the result, so that the checks
// that follow can go on with the others; nothing is returned when the file as a whole or a shared `def` is unreadable.
// What the file calls of `libraries` becomes its own. Null: its imports are read and not followed, for who does not ask
// what calls mean.
std::optional<SpecFile> LoadSpecFile(const std::string& path, std::string text, Diagnostics* diagnostics,
                                     const Libraries* libraries = nullptr);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_LOAD_H_
