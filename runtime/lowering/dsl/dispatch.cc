#include "runtime/lowering/dsl/dispatch.h"

#include <algorithm>
#include <tuple>

namespace onnxport::lowering {
namespace {

std::span<const DispatchRow> RowsIn(const DispatchTable& table, std::string_view name) {
  const auto rows = std::ranges::equal_range(table.rows, name, {}, &DispatchRow::name);
  return {rows.begin(), rows.end()};
}

}  // namespace

std::span<const DispatchRow> RowsOf(std::string_view name) {
  // The first table with the name has all its rows: a user's entry replaces ours for every opset, not only for the
  // opsets of the entry.
  for (const DispatchTable& table : DispatchTables::All()) {
    if (const auto rows = RowsIn(table, name); !rows.empty()) return rows;
  }
  return {};
}

const DispatchRow* FindRow(std::string_view name, int opset) {
  for (const DispatchRow& row : RowsOf(name)) {
    if (row.since <= opset && opset <= row.until) return &row;
  }
  return nullptr;
}

std::string ClaimedTwice(std::string_view name) {
  const char* first = nullptr;
  for (const DispatchTable& table : DispatchTables::All()) {
    if (table.owner == kBuiltIn) continue;
    const auto rows = RowsIn(table, name);
    if (rows.empty()) continue;
    if (first != nullptr) return std::string(first) + " and " + rows[0].spec;
    first = rows[0].spec;
  }
  return {};
}

std::vector<DispatchRow> AllRows() {
  std::vector<DispatchRow> all;
  for (const DispatchTable& table : DispatchTables::All()) {
    std::ranges::copy_if(table.rows, std::back_inserter(all), [&](const DispatchRow& row) {
      return RowsOf(row.name).data() == RowsIn(table, row.name).data();
    });
  }
  std::ranges::sort(all, {}, [](const DispatchRow& row) { return std::tuple(row.name, row.since); });
  return all;
}

OpsetRange SupportedOpsets() { return DispatchTables::All().back().opsets; }

}  // namespace onnxport::lowering
