// The fragment of the dispatch table that one family makes: `F.rows`, one line per row, fields between tabs.
#ifndef ONNXPORT_CODEGEN_EMIT_ROWS_H_
#define ONNXPORT_CODEGEN_EMIT_ROWS_H_

#include <string>
#include <vector>

namespace onnxport::codegen {

// What one overload is at a run of opsets.
struct Row {
  enum class Kind { kFunction, kNodeRow, kHook, kRefusal };
  std::string overload;
  int since = 0;
  int until = 0;
  Kind kind = Kind::kFunction;
  std::string symbol;  // the function's or row's name, the hook, the reason of a refusal
  std::string remark;  // for the support table; may be empty
  std::string place;   // "spec/aten/norm.yaml:12"
};

struct RowsFile {
  std::string family;
  std::vector<Row> rows;
};

std::string ToText(const RowsFile& file);

// Throws std::runtime_error for text that ToText did not write.
RowsFile ReadRows(const std::string& text);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_ROWS_H_
