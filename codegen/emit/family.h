// One spec file as C++: functions, rows of the dispatch table, conformance cases.
#ifndef ONNXPORT_CODEGEN_EMIT_FAMILY_H_
#define ONNXPORT_CODEGEN_EMIT_FAMILY_H_

#include <set>
#include <string>
#include <vector>

#include "codegen/emit/rows.h"
#include "codegen/emit/template.h"
#include "codegen/model/spec.h"
#include "runtime/ir/aten_schema.h"

namespace onnxport::codegen {

// What one overload is at each opset.
struct OverloadCode {
  const OpEntry* entry = nullptr;
  const ir::AtenSchema* schema = nullptr;
  std::vector<Row> rows;    // by opset, no gaps but for opsets without a case
  std::vector<int> epochs;  // the first opset of each: where schemas, conditions or code change
};

struct FamilyCode {
  std::string family;
  std::string code;                     // F.gen.cc
  std::string definitions;              // the functions and rows in it
  std::vector<OverloadCode> overloads;  // in the file's order
};

// The file has been checked. `domains`: those of --domain.
FamilyCode WriteFamily(const SpecFile& spec, const std::set<std::string>& domains, Templates* templates);

// The lines of F.rows.
RowsFile RowsOf(const FamilyCode& family);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_FAMILY_H_
