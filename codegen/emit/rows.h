// The rows that one family adds to the dispatch table and to the support table: `F.rows.json`.
#ifndef ONNXPORT_CODEGEN_EMIT_ROWS_H_
#define ONNXPORT_CODEGEN_EMIT_ROWS_H_

#include <set>
#include <string>
#include <vector>

namespace onnxport::codegen {

// How one overload is lowered at a range of opsets. An overload that is refused up to opset 8 and lowered by a function
// from 9 on has two rows. The dispatcher takes the row that contains the target.
struct Row {
  enum class Kind { kFunction, kHook, kRefusal };
  std::string overload;
  int since = 0;
  int until = 0;
  Kind kind = Kind::kFunction;
  std::string symbol;      // the function's name, the hook, or the reason of a refusal
  std::string place;       // "spec/aten/norm.yaml:12"
  bool overrides = false;  // `override: true`
};

// A remark for the support table ("refused: no integers"), and the opsets where it holds.
struct Remark {
  std::string overload;
  std::string text;
  std::set<int> opsets;
};

struct RowsFile {
  std::string family;
  std::vector<Row> rows;
  std::vector<Remark> remarks;
};

std::string ToText(const RowsFile& file);

// Throws std::exception for text that ToText did not write.
RowsFile ReadRows(const std::string& text);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_ROWS_H_
