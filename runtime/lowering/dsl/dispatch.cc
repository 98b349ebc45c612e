#include "runtime/lowering/dsl/dispatch.h"

#include <algorithm>

namespace onnxport::lowering {

std::span<const DispatchRow> RowsOf(std::string_view name) {
  const auto rows = std::ranges::equal_range(DispatchTable(), name, {}, &DispatchRow::name);
  return {rows.begin(), rows.end()};
}

const DispatchRow* FindRow(std::string_view name, int opset) {
  for (const DispatchRow& row : RowsOf(name)) {
    if (row.since <= opset && opset <= row.until) return &row;
  }
  return nullptr;
}

}  // namespace onnxport::lowering
