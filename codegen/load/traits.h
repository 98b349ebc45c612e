// Reads keys of an entry that the runtime uses as data: `alias`, `layout`, `write_back` ...
#ifndef ONNXPORT_CODEGEN_LOAD_TRAITS_H_
#define ONNXPORT_CODEGEN_LOAD_TRAITS_H_

#include <vector>

#include "codegen/load/fields.h"
#include "codegen/load/yaml.h"
#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

// Adds one trait. //codegen/traits checks its value.
void ReadClause(const YamlNode& node, const Clause& clause, std::vector<Trait>& traits, Diagnostics* diagnostics);

// Returns true if an item of `ops` has only `op` and keys of traits.
bool StatesTraitsOnly(const YamlNode& node);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_TRAITS_H_
