#include "runtime/onnx/op_facts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>

#include "runtime/onnx/fit_rules.h"
#include "runtime/onnx/rows_elementwise.h"
#include "runtime/onnx/rows_layers.h"
#include "runtime/onnx/rows_movement.h"
#include "runtime/onnx/rows_other.h"
#include "runtime/onnx/size_rules.h"

namespace onnxport::onnx_ops {
namespace {

// One table, made at compile time: it costs nothing at the start of the process or at the first lookup.
constexpr auto MakeTable() {
  std::array<OpFacts, std::size(kElementwiseRows) + std::size(kViewRows) + std::size(kReductionRows) +
                          std::size(kConvolutionRows) + std::size(kPoolRows) + std::size(kLayerRows) +
                          std::size(kMovementRows) + std::size(kOtherRows)>
      table;
  auto* end = table.data();
  const auto add = [&end](Form form, const auto& rows) {
    for (OpFacts row : rows) {
      row.form = form;
      if (form == Form::kElementwise) row.sizes = sizes::Broadcast, row.fit = fit::Broadcast;
      *end++ = row;
    }
  };
  add(Form::kElementwise, kElementwiseRows);
  add(Form::kView, kViewRows);
  add(Form::kReduction, kReductionRows);
  add(Form::kConvolution, kConvolutionRows);
  add(Form::kPool, kPoolRows);
  add(Form::kOther, kLayerRows);
  add(Form::kOther, kMovementRows);
  add(Form::kOther, kOtherRows);
  // The table is sorted by name, so that a second row for a name is noticed. The lists above are grouped by form, for
  // readers.
  std::ranges::sort(table, {}, &OpFacts::op);
  return table;
}

constexpr auto kTable = MakeTable();
static_assert(std::ranges::adjacent_find(kTable, std::ranges::equal_to(), &OpFacts::op) == kTable.end(),
              "an operator has one row");

// Every pass looks up every node, so a row is found by a hash of its name. A slot is the row's number + 1; 0 is free.
constexpr size_t kSlots = std::bit_ceil(4 * kTable.size());

constexpr size_t SlotOf(std::string_view op) {
  uint32_t hash = 2166136261;  // FNV-1a
  for (const char c : op) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619;
  return (hash ^ hash >> 15) % kSlots;
}

constexpr auto kRowAt = [] {
  std::array<uint16_t, kSlots> slots{};
  for (size_t row = 0; row < kTable.size(); ++row) {
    size_t slot = SlotOf(kTable[row].op);
    while (slots[slot] != 0) slot = (slot + 1) % kSlots;
    slots[slot] = static_cast<uint16_t>(row + 1);
  }
  return slots;
}();

constexpr OpFacts kNothing;

}  // namespace

const OpFacts& Find(std::string_view op) {
  for (size_t slot = SlotOf(op); kRowAt[slot] != 0; slot = (slot + 1) % kSlots) {
    const OpFacts& row = kTable[kRowAt[slot] - 1];
    if (row.op == op) return row;
  }
  return kNothing;
}

}  // namespace onnxport::onnx_ops
