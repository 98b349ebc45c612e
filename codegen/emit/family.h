// Writes one spec file as C++: functions and rows of the dispatch table.
#ifndef ONNXPORT_CODEGEN_EMIT_FAMILY_H_
#define ONNXPORT_CODEGEN_EMIT_FAMILY_H_

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/check/check.h"
#include "codegen/emit/arms.h"
#include "codegen/emit/rows.h"
#include "codegen/emit/template.h"
#include "codegen/specialize/epochs.h"
#include "runtime/base/linked_tables.h"

namespace onnxport::codegen {

struct OverloadCode {
  const OpEntry* entry = nullptr;  // of the spec
  const ir::AtenSchema* schema = nullptr;
  std::vector<Row> rows;  // by opset; opsets without a case have no row
  std::vector<Epoch> epochs;
  std::map<std::string, std::set<int>> remarks;  // remark for the support table -> its opsets
};

struct FamilyCode {
  std::string family;
  std::string code;                     // F.gen.cc
  std::string definitions;              // the functions in it
  std::vector<OverloadCode> overloads;  // in the file's order
};

// The result refers to `spec`. `arms` is null outside the coverage test. `owner` names the set of operators.
FamilyCode WriteFamily(const CheckedSpec& spec, Templates* templates, Arms* arms = nullptr,
                       std::string_view owner = kBuiltIn);

// The contents of F.rows.json.
RowsFile RowsOf(const FamilyCode& family);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_FAMILY_H_
