#include "runtime/aten/op_traits.h"

#include <algorithm>
#include <atomic>

#include "runtime/ir/operator.h"

namespace onnxport::op_traits {
namespace {

constexpr OpTraits kUnstated;

const OpTraits& Find(std::string_view op) {
  for (const OpTraitsTable& table : OpTraitsTables::All()) {
    const auto row = std::ranges::lower_bound(table.rows, op, {}, &OpTraits::op);
    if (row != table.rows.end() && row->op == op) return *row;
  }
  return kUnstated;
}

}  // namespace

// A table does not change, so two threads find the same row, and either may be first.
const OpTraits& TraitsOf(const ir::Operator& op) {
  ir::AtenFacts* facts = op.aten();
  if (facts == nullptr) return kUnstated;
  const OpTraits* known = facts->traits.load(std::memory_order_acquire);
  if (known == nullptr) {
    known = &Find(op.text());
    facts->traits.store(known, std::memory_order_release);
  }
  return *known;
}

// The overloads of a name are neighbours: "aten::max" < "aten::max.dim" < "aten::max_pool2d", as '.' sorts before '_'.
// The last of these only has the same prefix, and is skipped.
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
