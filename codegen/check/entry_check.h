// An entry against the ATen registry: names, overloads, every argument, refinements, tests.
#ifndef ONNXPORT_CODEGEN_CHECK_ENTRY_CHECK_H_
#define ONNXPORT_CODEGEN_CHECK_ENTRY_CHECK_H_

#include <set>
#include <string>
#include <vector>

#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"
#include "runtime/ir/aten_schema.h"

namespace onnxport::codegen {

// The schemas of the names that an entry may claim; the others are reported.
std::vector<const ir::AtenSchema*> CheckNames(const OpEntry& entry, Diagnostics* diagnostics);

// The rest; `schemas` from CheckNames.
void CheckArguments(const OpEntry& entry, const std::vector<const ir::AtenSchema*>& schemas, Diagnostics* diagnostics);
void CheckTests(const OpEntry& entry, const std::vector<const ir::AtenSchema*>& schemas, Diagnostics* diagnostics);

// Names of the arguments of all the overloads.
std::set<std::string> ArgumentNames(const std::vector<const ir::AtenSchema*>& schemas);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_ENTRY_CHECK_H_
