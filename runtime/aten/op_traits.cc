#include "runtime/aten/op_traits.h"

#include <algorithm>

namespace onnxport::op_traits {
namespace {

constexpr OpTraits kUnstated;

}  // namespace

const OpTraits& TraitsOf(std::string_view op) {
  for (const OpTraitsTable& table : OpTraitsTables::All()) {
    const auto row = std::ranges::lower_bound(table.rows, op, {}, &OpTraits::op);
    if (row != table.rows.end() && row->op == op) return *row;
  }
  return kUnstated;
}

// Overloads stand together: "aten::max" < "aten::max.dim" < "aten::max_pool2d", as '.' sorts before '_'. The last only
// begins alike, and is passed over.
const OpTraits& QuantizedTraitsOf(std::string_view base_name) {
  for (const OpTraitsTable& table : OpTraitsTables::All()) {
    for (auto row = std::ranges::lower_bound(table.rows, base_name, {}, &OpTraits::op);
         row != table.rows.end() && row->op.starts_with(base_name); ++row) {
      const bool overload = row->op.size() == base_name.size() || row->op[base_name.size()] == '.';
      if (overload && row->quantized != Quantized::kUnsupported) return *row;
    }
  }
  return kUnstated;
}

}  // namespace onnxport::op_traits
