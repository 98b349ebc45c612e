// Calls of definitions: those of the prelude, and arguments given by name.
#ifndef ONNXPORT_CODEGEN_LOAD_CALLS_H_
#define ONNXPORT_CODEGEN_LOAD_CALLS_H_

#include <vector>

#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

// Adds the definitions of the prelude that the file calls, and those that they call, before the file's own. A
// definition of the file with the name of one of the prelude is reported.
void AddPrelude(const std::vector<Def>& prelude, SpecFile* spec, Diagnostics* diagnostics);

// Puts the named arguments of calls in the place of the parameters. Calls of unknown definitions are left as they are.
void PlaceNamedArguments(SpecFile* spec, Diagnostics* diagnostics);

// Names of the definitions that the file calls itself, or gives to others, those of `prelude` included.
std::vector<std::string> CalledDefs(const SpecFile& spec, const std::vector<Def>& prelude);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_CALLS_H_
