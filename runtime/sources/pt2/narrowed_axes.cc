#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
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

// Guards about a single symbol, by its name. An index, because a file may have any number of both.
using GuardsOfSymbols = std::map<std::string, std::vector<Comparison>, std::less<>>;

GuardsOfSymbols InSymbolsAlone(const std::vector<std::string>& guards, const ir::Graph& graph) {
  const GuardInputs inputs = InputsOf(graph);
  GuardsOfSymbols found;
  for (const std::string& guard : guards) {
    auto comparison = ReadComparison(InSympysWords(InSymbols(guard, inputs).value_or("")));
    if (!comparison) continue;
    std::vector<std::string> symbols = comparison->left.symbols();
    for (std::string& name : comparison->right.symbols()) symbols.push_back(std::move(name));
    const bool alone = !symbols.empty() && std::ranges::count(symbols, symbols[0]) == std::ssize(symbols);
    if (alone) found[symbols[0]].push_back(std::move(*comparison));
  }
  return found;
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

// Where operators, views apart, would make an empty tensor of others: PyTorch's refuse that, as a convolution does
// whose kernel is longer than its input. A slice may well be empty.
class LeastSizes {
 public:
  explicit LeastSizes(const ir::Graph& graph) : graph_(graph) {}

  bool IsTooSmall(const std::string& symbol, int64_t size) {
    if (!std::exchange(looked_, true)) Look();
    const Sizes sizes = {{symbol, ir::Dim(size)}};
    return std::ranges::any_of(nodes_[symbol], [&](const ir::Node* node) { return MakesEmpty(*node, sizes); });
  }

 private:
  // Visits the nodes whose results have sizes with a symbol.
  void Look() {
    for (const ir::Node& node : graph_.body.nodes) {
      const ir::AtenSchema* schema = ir::FindAtenSchema(node.op);
      if (schema == nullptr || schema->returns_alias()) continue;
      for (const ir::ValueId output : node.outputs) {
        if (output != ir::ValueId::kNone) Note(graph_.value(output), node);
      }
    }
  }

  void Note(const ir::Value& result, const ir::Node& node) {
    if (!result.dims) return;
    for (const ir::Dim& dim : *result.dims) {
      if (dim.symbol()) continue;  // it is an input's size, so not smaller than that
      for (const std::string& symbol : dim.symbols()) nodes_[symbol].push_back(&node);
    }
  }

  bool MakesEmpty(const ir::Node& node, const Sizes& sizes) const {
    const auto is_empty = [&](ir::ValueId id) { return id != ir::ValueId::kNone && IsEmpty(graph_.value(id), sizes); };
    if (!std::ranges::any_of(node.outputs, is_empty)) return false;
    bool takes_tensors = false;
    for (const ir::Arg& input : node.inputs) {
      const ir::ValueId* id = input.value();
      if (id == nullptr || !ir::HoldsTensors(graph_.value(*id).kind)) continue;
      if (is_empty(*id)) return false;
      takes_tensors = true;
    }
    return takes_tensors;
  }

  const ir::Graph& graph_;
  bool looked_ = false;
  std::map<std::string, std::vector<const ir::Node*>> nodes_;
};

std::string RangeText(const ir::Range& range) {
  return fmt::format("{}..{}", range.min ? std::to_string(*range.min) : "",
                     range.max ? std::to_string(*range.max) : "");
}

// Which bounds guards make. No least size of 2: torch.export has a size of 0 or 1 for another program.
NarrowedAxis NarrowedBy(const std::vector<Comparison>& guards, const ir::Graph& graph, const std::string& symbol,
                        LeastSizes* least) {
  NarrowedAxis found;
  const auto range = graph.ranges.find(symbol);
  if (range == graph.ranges.end()) return found;
  found.range = range->second;
  const auto fails_at = [&](int64_t size) {
    const Sizes sizes = {{symbol, ir::Dim(size)}};
    return std::ranges::any_of(guards, [&](const Comparison& guard) { return !HoldsAt(guard, sizes); });
  };
  const auto [min, max] = found.range;
  found.high = max && *max < INT64_MAX && fails_at(*max + 1);
  found.low = min && *min > 2 && fails_at(*min - 1) && !least->IsTooSmall(symbol, *min - 1);
  return found;
}

// The caller's promises for the axes with a symbol.
struct Asked {
  bool low = false;   // the least size
  bool high = false;  // the greatest
  std::string name;   // the name that promises an axis
};

std::map<std::string, Asked> AskedOf(const std::vector<Input>& inputs, const ir::Graph& graph) {
  const GuardInputs known = InputsOf(graph);
  std::map<std::string, Asked> all;
  for (const Input& input : inputs) {
    const auto found = known.find(input.name);
    if (!input.dims || found == known.end() || !found->second->dims) continue;
    const ir::Dims& dims = *found->second->dims;
    for (size_t axis = 0; axis < std::min(dims.size(), input.dims->size()); ++axis) {
      const Dim& said = (*input.dims)[axis];
      const auto symbol = dims[axis].symbol();
      if (!symbol) continue;
      Asked& asked = all[*symbol];
      asked.low |= said.min().has_value() || said.is_number();
      asked.high |= said.max().has_value() || said.is_number();
      // A name that is in the file already promises no more than the file does.
      if (inputs::IsAxisName(said.symbol()) && said.symbol() != *symbol) asked.name = said.symbol();
    }
  }
  return all;
}

Diagnostic BrokenPromise(const NarrowedAxis& axis, const std::string& name) {
  return {
      .code = Code::kAxisIsNarrowed,
      .reason = fmt::format("{}, as torch.export followed the code for the sizes of the example, and '{}' promises all "
                            "sizes; write '{}={}' if that is the range, or write the branch with torch.cond",
                            axis.Text(), name, name, RangeText(axis.range))};
}

}  // namespace

std::string NarrowedAxis::Text() const {
  return fmt::format("axis {} of input '{}' is {} in the program", axis, VisibleLine(input), RangeText(range));
}

std::vector<NarrowedAxis> NarrowedAxes(const std::vector<std::string>& guards, const ir::Graph& graph) {
  std::vector<NarrowedAxis> narrowed;
  const GuardsOfSymbols by_symbol = InSymbolsAlone(guards, graph);
  if (by_symbol.empty()) return narrowed;
  LeastSizes least(graph);
  std::set<std::string> seen;
  for (const ir::Port& input : graph.inputs) {
    const ir::ValueId* id = input.value.value();
    if (id == nullptr || !graph.value(*id).dims) continue;
    const ir::Dims& dims = *graph.value(*id).dims;
    for (size_t axis = 0; axis < dims.size(); ++axis) {
      const auto symbol = dims[axis].symbol();
      const auto own = symbol ? by_symbol.find(*symbol) : by_symbol.end();
      if (own == by_symbol.end() || !seen.insert(*symbol).second) continue;
      NarrowedAxis found = NarrowedBy(own->second, graph, *symbol, &least);
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
  std::vector<Diagnostic> broken;
  std::map<std::string, Asked> all = AskedOf(inputs, graph);
  std::erase_if(narrowed, [&](NarrowedAxis& axis) {
    const Asked& asked = all[axis.symbol];
    axis.low = axis.low && !asked.low;
    axis.high = axis.high && !asked.high;
    const bool said = !axis.low && !axis.high;
    if (!said && !asked.name.empty()) broken.push_back(BrokenPromise(axis, asked.name));
    return said;
  });
  if (!broken.empty()) throw Error(Report(ErrorKind::kCannotExport, std::move(broken)));
  return narrowed;
}

Warning NarrowedWarning(const NarrowedAxis& axis) {
  return OtherSizes(axis.Text() + ", as torch.export followed the code for the sizes of the example");
}

}  // namespace onnxport::pt2
