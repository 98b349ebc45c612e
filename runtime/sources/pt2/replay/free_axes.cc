#include "runtime/sources/pt2/replay/free_axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <set>

#include "onnxport/diagnostic.h"
#include "runtime/base/error.h"
#include "runtime/lowering/build/tensor.h"
#include "runtime/lowering/types/free_sizes.h"
#include "runtime/sources/pt2/replay/axis_doubts.h"
#include "runtime/sources/pt2/replay/forget_sizes.h"
#include "runtime/sources/pt2/replay/replay.h"
#include "runtime/trace/report.h"
#include "runtime/trace/walk.h"

namespace onnxport::pt2 {
namespace {

using inputs::FreedAxis;
using ir::ValueId;

std::set<std::string> SymbolsOf(const std::vector<FreedAxis>& axes) {
  std::set<std::string> symbols;
  for (const FreedAxis& axis : axes) symbols.insert(axis.symbol);
  return symbols;
}

std::vector<ValueId> InputsWith(const std::set<std::string>& symbols, const ir::Graph& program) {
  std::vector<ValueId> found;
  for (const ir::Port& input : program.inputs) {
    const ValueId id = *input.value.value();
    const bool any = program.value(id).dims && std::ranges::any_of(*program.value(id).dims, [&](const ir::Dim& dim) {
                       return std::ranges::any_of(dim.symbols(),
                                                  [&](const std::string& symbol) { return symbols.contains(symbol); });
                     });
    if (any) found.push_back(id);
  }
  return found;
}

// Before ", the model cannot be exported at opset 18".
constexpr const char* kAdvice =
    " (a number that comes from the axis: export with the axis in dynamic_shapes; one that has nothing to do with it: "
    "export with another length, one like no other number, as 37)";

std::string NamesOf(const std::vector<FreedAxis>& axes) {
  std::string text;
  for (const FreedAxis& axis : axes) {
    text += fmt::format("{}{} ('{}', {} in the file)", text.empty() ? "" : ", ", axis.where, axis.symbol, axis.size);
  }
  return text;
}

std::vector<std::optional<ir::Dims>> DimsOf(const ir::Graph& program) {
  std::vector<std::optional<ir::Dims>> dims;
  for (const ir::Value& value : program.values) dims.push_back(value.dims);
  return dims;
}

// No size is 0 or 1, as torch.export has it: said by ranges, for sizes that meet to be compared as well.
ir::Ranges Assumed(const ir::Graph& program) {
  ir::Ranges ranges = program.ranges;
  for (auto& [symbol, range] : ranges) {
    if (!lowering::IsUnbacked(symbol)) range.min = std::max<int64_t>(range.min.value_or(2), 2);
  }
  return ranges;
}

}  // namespace

void FreeAxes(const std::vector<FreedAxis>& axes, int opset, const lowering::Options& options, ir::Graph* program) {
  const std::vector<std::optional<ir::Dims>> stated = DimsOf(*program);
  const std::set<std::string> symbols = SymbolsOf(axes);
  ForgetSizes(InputsWith(symbols, *program), symbols, program);
  ir::Graph tried = *program;
  tried.ranges = Assumed(*program);
  const auto replay = [&](const ir::Graph& graph, int at, const Observer& observer) {
    return Replay(graph, at, options, observer, lowering::FreeSizes::kAsStated);
  };
  std::vector<std::optional<ir::Dims>> inferred(program->values.size());
  for (const ir::Port& input : program->inputs) {
    const ValueId id = *input.value.value();
    inferred[static_cast<size_t>(id)] = program->value(id).dims;
  }
  const auto observe = [&](const ir::Node&, ValueId id, const ir::Value& known) {
    inferred[static_cast<size_t>(id)] = known.dims;
  };
  const std::string where = "with " + NamesOf(axes) + " free";
  std::optional<Error> failed;
  try {
    trace::Trace([&](int at, const auto&) { return replay(tried, at, observe); }, opset);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kCannotExport) throw;
    failed = error.Behind(where + ", ");
  }
  const auto works = [&](const ir::Graph& other) { return replay(other, opset, {})->findings().failures().empty(); };
  const std::vector<record::Failure> doubts =
      AxisDoubts(tried, axes, {stated, inferred}, failed ? std::function<bool(const ir::Graph&)>() : works);
  if (!doubts.empty()) {
    const std::vector<int> never(doubts.size(), 0);
    throw Error(trace::ReportOf(ErrorKind::kCannotExport, *program, doubts, never, opset))
        .Behind(where + kAdvice + ", ");
  }
  if (failed) throw Error(*failed);
}

std::string FreedRemark(const std::vector<FreedAxis>& axes) {
  return fmt::format(
      "free, though the file fixed it: {}. No number of the program looks like it; what Python decided by it otherwise "
      "(`if x.shape[1] > 100`) is as it was",
      NamesOf(axes));
}

}  // namespace onnxport::pt2
