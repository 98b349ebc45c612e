// One spec file as C++: functions, rows of the dispatch table.
#ifndef ONNXPORT_CODEGEN_EMIT_FAMILY_H_
#define ONNXPORT_CODEGEN_EMIT_FAMILY_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/emit/rows.h"
#include "codegen/emit/template.h"
#include "codegen/model/spec.h"
#include "runtime/ir/aten_schema.h"

namespace onnxport::codegen {

// A run of opsets at which an overload is the same: what tests try one by one.
struct Epoch {
  int since = 0;
  std::map<std::string, int> versions;  // of the ONNX operators in use
  std::string meaning;                  // what the entry says, with `opset` decided
};

struct OverloadCode {
  const OpEntry* entry = nullptr;
  const ir::AtenSchema* schema = nullptr;
  std::vector<Row> rows;  // by opset, no gaps but for opsets without a case
  std::vector<Epoch> epochs;
  std::map<std::string, std::set<int>> remarks;  // for the support table, and the opsets of each
};

struct FamilyCode {
  std::string family;
  std::string code;                     // F.gen.cc
  std::string definitions;              // the functions in it
  std::vector<OverloadCode> overloads;  // in the file's order
};

// The file has been checked. `domains`: those of --domain.
FamilyCode WriteFamily(const SpecFile& spec, const std::set<std::string>& domains, Templates* templates);

// What F.rows.json holds.
RowsFile RowsOf(const FamilyCode& family);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_FAMILY_H_
