#include "codegen/emit/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "codegen/check/onnx_schemas.h"
#include "codegen/check/opset_text.h"
#include "codegen/emit/expression.h"
#include "codegen/emit/names.h"
#include "codegen/emit/wrap.h"

namespace onnxport::codegen {
namespace {

std::vector<Row> SortedRows(const std::vector<RowsFile>& files) {
  std::vector<Row> rows;
  for (const RowsFile& file : files) rows.insert(rows.end(), file.rows.begin(), file.rows.end());
  std::ranges::sort(rows, [](const Row& a, const Row& b) {
    return a.overload != b.overload ? a.overload < b.overload : a.since < b.since;
  });
  return rows;
}

std::string Declaration(const Row& row) {
  if (row.kind == Row::Kind::kFunction) return fmt::format("Vals {}(Context& c);\n", row.symbol);
  if (row.kind == Row::Kind::kNodeRow) return fmt::format("extern const NodeRow {};\n", row.symbol);
  return "";
}

std::string TableLine(const Row& row) {
  std::string function = "nullptr";
  std::string node = "nullptr";
  std::string refusal = "nullptr";
  switch (row.kind) {
    case Row::Kind::kFunction:
      function = "generated::" + row.symbol;
      break;
    case Row::Kind::kNodeRow:
      node = "&generated::" + row.symbol;
      break;
    case Row::Kind::kHook:
      function = row.symbol;
      break;
    case Row::Kind::kRefusal:
      refusal = CppString(row.symbol);
      break;
  }
  return WrapStatement(fmt::format("{{\"{}\", {}, {}, {}, {}, {}, {}}},", row.overload, row.since, row.until, function,
                                   node, refusal, CppString(row.place)),
                       0);
}

std::string DispatchTable(const std::vector<Row>& rows, Templates* templates) {
  std::set<std::string> declarations;
  std::string lines;
  for (const Row& row : rows) {
    declarations.insert(Declaration(row));
    lines += TableLine(row);
  }
  std::string declared;
  for (const std::string& line : declarations) declared += line;
  return templates->Fill("dispatch_table.cc", {{"declarations", declared},
                                               {"rows", lines},
                                               {"first", fmt::format("{}", FirstOpset())},
                                               {"last", fmt::format("{}", LastOpset())}});
}

std::string FamiliesText(const std::vector<RowsFile>& files, Templates* templates) {
  std::set<std::string> families;
  for (const RowsFile& file : files) families.insert(FamilyName(file.family));
  std::string declarations;
  std::string lines;
  for (const std::string& family : families) {
    declarations += fmt::format("extern const Family {};\n", family);
    lines += family + ",\n";
  }
  return templates->Fill("families.cc", {{"declarations", declarations}, {"families", lines}});
}

// Text within a cell of a Markdown table.
std::string Cell(std::string text) {
  for (size_t at = 0; (at = text.find('|', at)) != text.npos; at += 2) text.insert(at, "\\");
  return text;
}

std::string OperatorsText(const std::vector<Row>& rows, Templates* templates) {
  struct Line {
    std::set<int> opsets;
    std::string place;
    std::set<std::string> remarks;
  };
  std::map<std::string, Line> table;
  for (const Row& row : rows) {
    Line& line = table[row.overload];
    if (row.kind == Row::Kind::kRefusal)
      line.remarks.insert("refused: " + row.symbol);
    else
      for (int opset = row.since; opset <= row.until; ++opset) line.opsets.insert(opset);
    line.place = row.place.substr(0, row.place.rfind(':'));
    if (!row.remark.empty() && row.kind != Row::Kind::kRefusal) line.remarks.insert(row.remark);
  }
  std::string lines;
  for (const auto& [name, line] : table) {
    const std::string opsets = line.opsets.empty() ? "none" : OpsetText(line.opsets).substr(6);
    std::string remarks;
    for (const std::string& remark : line.remarks) remarks += (remarks.empty() ? "" : "; ") + remark;
    lines += fmt::format("| `{}` | {} | {} | {} |\n", name, opsets, line.place, Cell(remarks));
  }
  return templates->Fill("operators.md", {{"rows", lines},
                                          {"count", fmt::format("{}", table.size())},
                                          {"first", fmt::format("{}", FirstOpset())},
                                          {"last", fmt::format("{}", LastOpset())}});
}

}  // namespace

std::vector<std::string> Conflicts(const std::vector<RowsFile>& files) {
  std::set<std::string> conflicts;
  std::map<std::string, std::string> claimed;  // overload -> place
  std::map<std::string, std::string> defined;  // C++ name -> family
  for (const RowsFile& file : files) {
    for (const Row& row : file.rows) {
      const auto [first, is_new] = claimed.emplace(row.overload, row.place);
      if (!is_new && first->second != row.place) {
        conflicts.insert(
            fmt::format("{}: error: `{}` is claimed twice; first at {}", row.place, row.overload, first->second));
        continue;
      }
      if (row.kind != Row::Kind::kFunction && row.kind != Row::Kind::kNodeRow) continue;
      const auto [owner, is_defined] = defined.emplace(row.symbol, file.family);
      if (!is_defined && owner->second != file.family)
        conflicts.insert(fmt::format("{}: error: the code of `{}` gets the name {}, which family {} has too", row.place,
                                     row.overload, row.symbol, owner->second));
    }
  }
  return {conflicts.begin(), conflicts.end()};
}

Merged Merge(const std::vector<RowsFile>& files, Templates* templates) {
  const std::vector<Row> rows = SortedRows(files);
  return {.dispatch_table = DispatchTable(rows, templates),
          .families = FamiliesText(files, templates),
          .operators = OperatorsText(rows, templates)};
}

}  // namespace onnxport::codegen
