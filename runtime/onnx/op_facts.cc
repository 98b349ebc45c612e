#include "runtime/onnx/op_facts.h"

#include <algorithm>
#include <array>
#include <cstddef>
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

// One table, made while compiling: neither the start of a process nor the first question costs anything.
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
  // By name, for the binary search of Find; the rows stand by form, for people.
  std::ranges::sort(table, {}, &OpFacts::op);
  return table;
}

constexpr auto kTable = MakeTable();
static_assert(std::ranges::adjacent_find(kTable, std::ranges::equal_to(), &OpFacts::op) == kTable.end(),
              "an operator has one row");

constexpr OpFacts kNothing;

}  // namespace

const OpFacts& Find(std::string_view op) {
  const auto* found = std::ranges::lower_bound(kTable, op, {}, &OpFacts::op);
  return found != kTable.end() && found->op == op ? *found : kNothing;
}

}  // namespace onnxport::onnx_ops
