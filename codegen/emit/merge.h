// What all families make together: the dispatch table, the list of conformance families, the support table.
#ifndef ONNXPORT_CODEGEN_EMIT_MERGE_H_
#define ONNXPORT_CODEGEN_EMIT_MERGE_H_

#include <string>
#include <vector>

#include "codegen/emit/rows.h"
#include "codegen/emit/template.h"

namespace onnxport::codegen {

struct Merged {
  std::string dispatch_table;  // dispatch_table.gen.cc
  std::string families;        // families.gen.cc
  std::string operators;       // operators.md
};

// Names that two files claim: "spec/aten/b.yaml:3: error: `aten::relu` is claimed twice; first at spec/aten/a.yaml:7".
// Also functions that two files define under one name. Empty when there are none.
std::vector<std::string> Conflicts(const std::vector<RowsFile>& files);

Merged Merge(const std::vector<RowsFile>& files, Templates* templates);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_MERGE_H_
