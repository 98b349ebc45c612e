// Checks an entry against the ATen registry: names, overloads, every argument, refinements, tests.
#ifndef ONNXPORT_CODEGEN_CHECK_ENTRY_CHECK_H_
#define ONNXPORT_CODEGEN_CHECK_ENTRY_CHECK_H_

#include <set>
#include <string>
#include <vector>

#include "codegen/source/diagnostics.h"
#include "codegen/specialize/specialize.h"
#include "runtime/aten/aten_schema.h"

namespace onnxport::codegen {

using Schemas = std::vector<const ir::AtenSchema*>;

// Returns the schemas of its overloads.
Schemas SchemasOf(const SpecializedOp& op);

// Reports names that the entry may not claim.
void CheckNames(const OpEntry& entry, Diagnostics* diagnostics);
void CheckArguments(const OpEntry& entry, const Schemas& schemas, Diagnostics* diagnostics);
// Checks the names of the results of its cases.
void CheckResults(const OpEntry& entry, const Schemas& schemas, Diagnostics* diagnostics);
// Checks that the opset of each `since` may exist.
void CheckSince(const std::vector<Def>& defs, Diagnostics* diagnostics);

void CheckTests(const OpEntry& entry, const Schemas& schemas, Diagnostics* diagnostics);

// Returns the names of the arguments of all the overloads.
std::set<std::string> ArgumentNames(const Schemas& schemas);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_ENTRY_CHECK_H_
