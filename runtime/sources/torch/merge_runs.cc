#include "runtime/sources/torch/merge_runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "runtime/aten/aten_schema.h"
#include "runtime/base/error.h"
#include "runtime/base/refusal.h"
#include "runtime/ir/location.h"
#include "runtime/sources/torch/size_numbers.h"

namespace onnxport::torch_export {
namespace {

using fit::Observed;
using ir::Arg;
using ir::ValueId;

class Merger {
 public:
  Merger(const std::vector<Run>& runs, const std::vector<ir::Dims>& input_dims) : runs_(runs), graph_(runs[0].graph) {
    for (size_t i = 0; i < graph_.inputs.size(); ++i) {
      const ValueId id = *graph_.inputs[i].value.value();
      MergeType(id);
      // After MergeType, which leaves sizes that differ open: the named axes take their place.
      graph_.value(id).dims = input_dims[i];
      NoteSizes(id, SizeNumbers::Of::kInput);
    }
  }

  Merged Merge() {
    CompareRuns(runs_);
    // Calls go back one by one: what computes a number of sizes is added right before the call that takes it.
    std::vector<ir::Node> nodes = std::move(graph_.body.nodes);
    graph_.body.nodes.clear();
    for (place_ = 0; place_ < nodes.size(); ++place_) MergeCall(std::move(nodes[place_]));
    for (size_t i = 0; i < graph_.outputs.size(); ++i) {
      std::vector<const Arg*> seen;
      for (const Run& run : runs_) seen.push_back(&run.graph.outputs[i].value);
      graph_.outputs[i].value = MergeArg(seen, fmt::format("the output '{}'", graph_.outputs[i].name));
      graph_.body.outputs[i] = graph_.outputs[i].value;
    }
    return {.graph = std::move(graph_), .sure = numbers_.sure()};
  }

 private:
  // ---- types

  // Sizes that differ are left open.
  void MergeType(ValueId id) {
    ir::Value& type = graph_.value(id);
    for (const Run& run : runs_) {
      const ir::Value& other = run.graph.value(id);
      if (other.dtype != type.dtype || other.dims->size() != type.dims->size()) {
        RefuseRuns(runs_, fmt::format("{} gives another dtype or rank at {} than at {}", type.name, At(runs_, runs_[0]),
                                      At(runs_, run)));
      }
      for (size_t axis = 0; axis < type.dims->size(); ++axis) {
        if ((*other.dims)[axis] != (*type.dims)[axis]) (*type.dims)[axis] = ir::Dim();
      }
      if (type.strides && other.strides != type.strides) type.strides.reset();
    }
  }

  // Sizes that differ are what numbers are computed of.
  void NoteSizes(ValueId id, SizeNumbers::Of of) {
    const size_t rank = graph_.value(id).dims->size();
    for (size_t axis = 0; axis < rank; ++axis) {
      Observed sizes;
      for (const Run& run : runs_) sizes.push_back((*run.graph.value(id).dims)[axis].number());
      numbers_.Note(id, axis, std::move(sizes), of);
    }
  }

  // ---- calls

  void MergeCall(ir::Node call) {
    numbers_.location = call.location;
    const ir::AtenSchema* schema = ir::FindAtenSchema(call.op);
    for (size_t i = 0; i < call.inputs.size(); ++i) {
      std::vector<const Arg*> seen;
      for (const Run& run : runs_) seen.push_back(&run.graph.body.nodes[place_].inputs.at(i));
      const std::string name =
          schema != nullptr && i < schema->arguments.size() ? schema->arguments[i].name : std::to_string(i);
      call.inputs[i] = MergeArg(seen, fmt::format("argument '{}' of {}", name, call.op));
    }
    // How many pieces there are may depend on sizes: the first is always there.
    const bool pieces = schema != nullptr && !schema->results.empty() && schema->results[0].type.list;
    for (size_t i = 0; i < call.outputs.size(); ++i) {
      if (call.outputs[i] == ValueId::kNone) continue;
      MergeType(call.outputs[i]);
      if (i == 0 || !pieces) NoteSizes(call.outputs[i], SizeNumbers::Of::kResult);
    }
    graph_.body.nodes.push_back(std::move(call));
  }

  Arg MergeArg(const std::vector<const Arg*>& seen, const std::string& what) {
    const Arg& first = *seen[0];
    const auto all = [&](auto&& holds) {
      return std::ranges::all_of(seen, [&](const Arg* arg) { return holds(*arg); });
    };
    if (const ir::ArgList* list = first.list()) {
      const auto is_such = [&](const Arg& arg) { return arg.list() != nullptr && arg.list()->size() == list->size(); };
      if (!all(is_such)) RefuseRuns(runs_, what + " has another length at other sizes");
      ir::ArgList merged;
      for (size_t i = 0; i < list->size(); ++i) {
        std::vector<const Arg*> items;
        for (const Arg* arg : seen) items.push_back(&(*arg->list())[i]);
        merged.push_back(MergeArg(items, what));
      }
      return {std::move(merged)};
    }
    // An argument that is the same in every run stays as it is, though it may be the size of an axis that is fixed.
    if (all([&](const Arg& arg) { return Same(arg, first); })) return first;
    if (all([](const Arg& arg) { return std::holds_alternative<int64_t>(arg.v); })) return MergeInts(seen, what);
    if (all([](const Arg& arg) { return std::holds_alternative<double>(arg.v); })) return MergeFloats(seen, what);
    RefuseRuns(runs_, what + " is another value at other sizes");
  }

  Arg MergeInts(const std::vector<const Arg*>& seen, const std::string& what) {
    Observed numbers;
    for (const Arg* arg : seen) numbers.push_back(std::get<int64_t>(arg->v));
    if (const auto found = numbers_.Int(numbers)) return *found;
    RefuseNumber(what, numbers);
  }

  Arg MergeFloats(const std::vector<const Arg*>& seen, const std::string& what) {
    std::vector<double> numbers;
    for (const Arg* arg : seen) numbers.push_back(std::get<double>(arg->v));
    if (const auto found = numbers_.Floats(numbers)) return *found;
    RefuseNumber(what, numbers);
  }

  template <typename Numbers>
  [[noreturn]] void RefuseNumber(const std::string& what, const Numbers& numbers) const {
    std::vector<std::string> seen;
    for (size_t i = 0; i < numbers.size(); ++i) {
      seen.push_back(fmt::format("{} at {}", numbers[i], At(runs_, runs_[i])));
    }
    const std::string_view module = ModulePath(graph_.location(numbers_.location));
    throw Refusal::NotDecided(fmt::format("{}{}{} was {}, and no expression of the sizes gives that", Head(runs_), what,
                                          module.empty() ? "" : fmt::format(" (in '{}')", module),
                                          fmt::join(seen, ", ")));
  }

  const std::vector<Run>& runs_;
  ir::Graph graph_;
  size_t place_ = 0;
  SizeNumbers numbers_{&graph_};
};

}  // namespace

Merged Merge(const std::vector<Run>& runs, const std::vector<ir::Dims>& input_dims) {
  return Merger(runs, input_dims).Merge();
}

}  // namespace onnxport::torch_export
