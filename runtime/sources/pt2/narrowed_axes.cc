#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "runtime/aten/aten_schema.h"
#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/sources/pt2/guard_sizes.h"
#include "runtime/sources/pt2/guards.h"

namespace onnxport::pt2 {
namespace {

using Sizes = std::map<std::string, ir::Dim>;

// Guards that ask of one symbol alone.
std::vector<Comparison> GuardsOf(const std::string& symbol, const std::vector<Comparison>& guards) {
  std::vector<Comparison> own;
  for (const Comparison& guard : guards) {
    std::set<std::string> symbols;
    for (const ir::Dim& side : {guard.left, guard.right}) {
      for (std::string& name : side.symbols()) symbols.insert(std::move(name));
    }
    if (symbols == std::set<std::string>{symbol}) own.push_back(guard);
  }
  return own;
}

bool HoldsAt(const Comparison& guard, const Sizes& sizes) {
  const ir::Dim left = guard.left.Substitute(sizes);
  const ir::Dim right = guard.right.Substitute(sizes);
  return !left.is_number() || !right.is_number() || Holds(left.number(), guard.sign, right.number());
}

bool IsEmpty(const ir::Value& value, const Sizes& sizes) {
  return value.dims && std::ranges::any_of(*value.dims, [&](const ir::Dim& dim) {
           const ir::Dim size = dim.Substitute(sizes);
           return size.is_number() && size.number() <= 0;
         });
}

// Whether some operator, views apart, would make an empty tensor of others: PyTorch's refuse that, as a convolution
// does whose kernel is longer than its input. A slice may well be empty.
bool IsTooSmall(const ir::Graph& graph, const std::string& symbol, int64_t size) {
  const Sizes sizes = {{symbol, ir::Dim(size)}};
  const auto is_empty = [&](ir::ValueId id) { return id != ir::ValueId::kNone && IsEmpty(graph.value(id), sizes); };
  return std::ranges::any_of(graph.body.nodes, [&](const ir::Node& node) {
    const ir::AtenSchema* schema = ir::FindAtenSchema(node.op);
    if (schema == nullptr || schema->returns_alias() || !std::ranges::any_of(node.outputs, is_empty)) return false;
    bool takes_tensors = false;
    for (const ir::Arg& input : node.inputs) {
      const ir::ValueId* id = input.value();
      if (id == nullptr || !ir::HoldsTensors(graph.value(*id).kind)) continue;
      if (is_empty(*id)) return false;
      takes_tensors = true;
    }
    return takes_tensors;
  });
}

std::string RangeText(const ir::Range& range) {
  return fmt::format("{}..{}", range.min ? std::to_string(*range.min) : "",
                     range.max ? std::to_string(*range.max) : "");
}

// Which bounds guards make. No least size of 2: torch.export has a size of 0 or 1 for another program.
NarrowedAxis NarrowedBy(const std::vector<Comparison>& guards, const ir::Graph& graph, const std::string& symbol) {
  NarrowedAxis found;
  const auto range = graph.ranges.find(symbol);
  if (guards.empty() || range == graph.ranges.end()) return found;
  found.range = range->second;
  const auto fails_at = [&](int64_t size) {
    const Sizes sizes = {{symbol, ir::Dim(size)}};
    return std::ranges::any_of(guards, [&](const Comparison& guard) { return !HoldsAt(guard, sizes); });
  };
  const auto [min, max] = found.range;
  found.high = max && *max < INT64_MAX && fails_at(*max + 1);
  found.low = min && *min > 2 && fails_at(*min - 1) && !IsTooSmall(graph, symbol, *min - 1);
  return found;
}

// What the caller says of the axes that have a symbol.
struct Asked {
  bool low = false;   // the least size
  bool high = false;  // the greatest
  std::string name;   // that promises an axis
};

Asked AskedOf(const std::string& symbol, const std::vector<Input>& inputs, const GuardInputs& known) {
  Asked asked;
  for (const Input& input : inputs) {
    const auto found = known.find(input.name);
    if (!input.dims || found == known.end() || !found->second->dims) continue;
    const ir::Dims& dims = *found->second->dims;
    for (size_t axis = 0; axis < std::min(dims.size(), input.dims->size()); ++axis) {
      const Dim& said = (*input.dims)[axis];
      if (dims[axis].symbol() != symbol) continue;
      asked.low |= said.min().has_value() || said.is_number();
      asked.high |= said.max().has_value() || said.is_number();
      // The file's own name promises no more than the file does.
      if (inputs::IsAxisName(said.symbol()) && said.symbol() != symbol) asked.name = said.symbol();
    }
  }
  return asked;
}

Diagnostic BrokenPromise(const NarrowedAxis& axis, const std::string& name) {
  return {
      .code = Code::kUnsupportedProgram,
      .reason = fmt::format("{}, as torch.export followed the code for the sizes of the example, and '{}' promises all "
                            "sizes; write '{}={}' if that is the range, or write the branch with torch.cond",
                            axis.Text(), name, name, RangeText(axis.range))};
}

}  // namespace

std::string NarrowedAxis::Text() const {
  return fmt::format("axis {} of input '{}' is {} in the program", axis, VisibleLine(input), RangeText(range));
}

std::vector<NarrowedAxis> NarrowedAxes(const std::vector<std::string>& guards, const ir::Graph& graph) {
  const GuardInputs inputs = InputsOf(graph);
  std::vector<Comparison> comparisons;
  for (const std::string& guard : guards) {
    if (auto comparison = ReadComparison(InSympysWords(InSymbols(guard, inputs).value_or(""))))
      comparisons.push_back(std::move(*comparison));
  }
  std::vector<NarrowedAxis> narrowed;
  if (comparisons.empty()) return narrowed;
  std::set<std::string> seen;
  for (const ir::Port& input : graph.inputs) {
    const ir::ValueId* id = input.value.value();
    if (id == nullptr || !graph.value(*id).dims) continue;
    const ir::Dims& dims = *graph.value(*id).dims;
    for (size_t axis = 0; axis < dims.size(); ++axis) {
      const auto symbol = dims[axis].symbol();
      if (!symbol || !seen.insert(*symbol).second) continue;
      NarrowedAxis found = NarrowedBy(GuardsOf(*symbol, comparisons), graph, *symbol);
      if (!found.low && !found.high) continue;
      found.input = input.name;
      found.axis = axis;
      found.symbol = *symbol;
      narrowed.push_back(std::move(found));
    }
  }
  return narrowed;
}

std::vector<NarrowedAxis> UnaskedAxes(std::vector<NarrowedAxis> narrowed, const std::vector<Input>& inputs,
                                      const ir::Graph& graph) {
  const GuardInputs known = InputsOf(graph);
  std::vector<Diagnostic> broken;
  std::erase_if(narrowed, [&](NarrowedAxis& axis) {
    const Asked asked = AskedOf(axis.symbol, inputs, known);
    axis.low = axis.low && !asked.low;
    axis.high = axis.high && !asked.high;
    const bool said = !axis.low && !axis.high;
    if (!said && !asked.name.empty()) broken.push_back(BrokenPromise(axis, asked.name));
    return said;
  });
  if (!broken.empty()) throw Error(Report(ErrorKind::kCannotExport, std::move(broken)));
  return narrowed;
}

std::string NarrowedWarning(const NarrowedAxis& axis) {
  return axis.Text() +
         ", as torch.export followed the code for the sizes of the example; for others the model may be wrong";
}

}  // namespace onnxport::pt2
