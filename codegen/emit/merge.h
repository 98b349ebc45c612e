// Merges all families: the dispatch table, the list of conformance families, the support table.
#ifndef ONNXPORT_CODEGEN_EMIT_MERGE_H_
#define ONNXPORT_CODEGEN_EMIT_MERGE_H_

#include <string>
#include <string_view>
#include <vector>

#include "codegen/emit/rows.h"
#include "codegen/emit/template.h"
#include "runtime/base/linked_tables.h"

namespace onnxport::codegen {

struct Merged {
  std::string dispatch_table;  // dispatch_table.gen.cc
  std::string families;        // families.gen.cc
  std::string operators;       // operators.md
};

// Returns names that two files claim: "spec/aten/b.yaml:3: error: `aten::relu` is claimed twice; first at
// spec/aten/a.yaml:7". Also returns functions that two files define under one name. `base` is the set that these files
// extend. An entry may claim a name of `base` only if it overrides the entry there.
std::vector<std::string> Conflicts(const std::vector<RowsFile>& files, const std::vector<RowsFile>& base = {});

// `owner` names the set of operators.
Merged Merge(const std::vector<RowsFile>& files, Templates* templates, std::string_view owner = kBuiltIn);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_MERGE_H_
