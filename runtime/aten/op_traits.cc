#include "runtime/aten/op_traits.h"

#include <algorithm>

namespace onnxport::op_traits {
namespace {

constexpr OpTraits kUnstated;

}  // namespace

const OpTraits& TraitsOf(std::string_view op) {
  const auto row = std::ranges::lower_bound(Table(), op, {}, &OpTraits::op);
  return row != Table().end() && row->op == op ? *row : kUnstated;
}

const OpTraits& QuantizedTraitsOf(std::string_view base_name) {
  for (auto row = std::ranges::lower_bound(Table(), base_name, {}, &OpTraits::op);
       row != Table().end() && row->op.starts_with(base_name); ++row) {
    const bool overload = row->op.size() == base_name.size() || row->op[base_name.size()] == '.';
    if (overload && row->quantized != Quantized::kUnsupported) return *row;
  }
  return kUnstated;
}

}  // namespace onnxport::op_traits
