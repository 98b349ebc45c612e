#include "codegen/emit/merge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "codegen/check/opset_text.h"
#include "codegen/emit/cpp_printer.h"
#include "codegen/emit/names.h"
#include "codegen/model/onnx_ops.h"

namespace onnxport::codegen {
namespace {

// Functions are named as the table names them: `norm_operators::aten_softmax_int`.
std::vector<Row> SortedRows(const std::vector<RowsFile>& files) {
  std::vector<Row> rows;
  for (const RowsFile& file : files) {
    for (Row row : file.rows) {
      if (row.kind == Row::Kind::kFunction)
        row.symbol = fmt::format("{}::{}", FamilyNamespace(file.family), row.symbol);
      rows.push_back(std::move(row));
    }
  }
  // The dispatcher looks overloads up by halving.
  std::ranges::sort(rows, [](const Row& a, const Row& b) {
    return a.overload != b.overload ? a.overload < b.overload : a.since < b.since;
  });
  return rows;
}

// The functions of a family.
std::string Declarations(const RowsFile& file) {
  std::set<std::string> functions;
  for (const Row& row : file.rows)
    if (row.kind == Row::Kind::kFunction) functions.insert(row.symbol);
  if (functions.empty()) return "";
  std::string text = fmt::format("namespace {} {{\n", FamilyNamespace(file.family));
  for (const std::string& function : functions) text += fmt::format("Vals {}(Context& c);\n", function);
  return text + fmt::format("}}  // namespace {}\n", FamilyNamespace(file.family));
}

std::string TableLine(const Row& row, std::string_view space) {
  const cpp::Expr null = cpp::Name("nullptr");
  cpp::Expr function = null;
  if (row.kind == Row::Kind::kFunction) function = cpp::Name(fmt::format("{}::{}", space, row.symbol));
  if (row.kind == Row::Kind::kHook) function = cpp::Name(row.symbol);
  const cpp::Expr refusal = row.kind == Row::Kind::kRefusal ? cpp::Text(row.symbol) : null;
  return cpp::ToText(cpp::Braces({cpp::Text(row.overload), cpp::Int(row.since), cpp::Int(row.until), function, refusal,
                                  cpp::Text(row.place)}),
                     0, ",");
}

std::string DispatchTable(const std::vector<RowsFile>& files, Templates* templates, std::string_view owner) {
  const std::string space = NamespaceName(owner);
  const std::vector<Row> rows = SortedRows(files);
  std::string declarations;
  for (const RowsFile& file : files) declarations += Declarations(file);
  std::string lines;
  for (const Row& row : rows) lines += TableLine(row, space);
  return templates->Fill("dispatch_table.cc", {{"declarations", declarations},
                                               {"rows", lines},
                                               {"count", fmt::format("{}", rows.size())},
                                               {"namespace", space},
                                               {"owner", std::string(owner)},
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

// The support table's entry for an overload.
struct Support {
  std::set<int> opsets;
  std::string place;
  std::vector<std::string> remarks;
};

std::map<std::string, Support> SupportOf(const std::vector<RowsFile>& files) {
  std::map<std::string, Support> table;
  for (const RowsFile& file : files) {
    for (const Row& row : file.rows) {
      Support& support = table[row.overload];
      support.place = row.place.substr(0, row.place.rfind(':'));
      // A refusal is no support, but its line in the table says why.
      for (int opset = row.since; opset <= row.until && row.kind != Row::Kind::kRefusal; ++opset)
        support.opsets.insert(opset);
    }
    for (const Remark& remark : file.remarks) {
      Support& support = table[remark.overload];
      const bool everywhere = support.opsets.empty() || remark.opsets == support.opsets;
      support.remarks.push_back(everywhere ? remark.text
                                           : fmt::format("{} ({})", remark.text, OpsetText(remark.opsets)));
    }
  }
  return table;
}

std::string OperatorsText(const std::vector<RowsFile>& files, Templates* templates) {
  const std::map<std::string, Support> table = SupportOf(files);
  std::string lines;
  for (const auto& [name, line] : table) {
    const std::string opsets = line.opsets.empty() ? "none" : OpsetText(line.opsets).substr(6);
    lines += fmt::format("| `{}` | {} | {} | {} |\n", name, opsets, line.place,
                         Cell(fmt::format("{}", fmt::join(line.remarks, "; "))));
  }
  return templates->Fill("operators.md", {{"rows", lines},
                                          {"count", fmt::format("{}", table.size())},
                                          {"first", fmt::format("{}", FirstOpset())},
                                          {"last", fmt::format("{}", LastOpset())}});
}

std::set<std::string> ConflictsWithBase(const std::vector<RowsFile>& files, const std::vector<RowsFile>& base) {
  std::map<std::string_view, std::string_view> places;  // overload -> place in the base
  for (const RowsFile& file : base)
    for (const Row& row : file.rows) places.emplace(row.overload, row.place);
  std::set<std::string> conflicts;
  for (const RowsFile& file : files) {
    for (const Row& row : file.rows) {
      const auto found = places.find(row.overload);
      if (found != places.end() && !row.overrides)
        conflicts.insert(fmt::format("{}: error: `{}` is claimed at {}, too; `override: true` lets this entry win",
                                     row.place, row.overload, found->second));
      if (found == places.end() && row.overrides)
        conflicts.insert(
            fmt::format("{}: error: there is no entry for `{}` that this one would override", row.place, row.overload));
    }
  }
  return conflicts;
}

}  // namespace

std::vector<std::string> Conflicts(const std::vector<RowsFile>& files, const std::vector<RowsFile>& base) {
  std::set<std::string> conflicts = ConflictsWithBase(files, base);
  std::map<std::string, std::string> claimed;  // overload -> place
  for (const RowsFile& file : files) {
    for (const Row& row : file.rows) {
      const auto [first, is_new] = claimed.emplace(row.overload, row.place);
      // Several rows of one entry are its runs of opsets; two entries have two places.
      if (!is_new && first->second != row.place)
        conflicts.insert(
            fmt::format("{}: error: `{}` is claimed twice; first at {}", row.place, row.overload, first->second));
    }
  }
  return {conflicts.begin(), conflicts.end()};
}

Merged Merge(const std::vector<RowsFile>& files, Templates* templates, std::string_view owner) {
  return {.dispatch_table = DispatchTable(files, templates, owner),
          .families = FamiliesText(files, templates),
          .operators = OperatorsText(files, templates)};
}

}  // namespace onnxport::codegen
