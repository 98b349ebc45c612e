#include "runtime/sources/torch/full_slices.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "runtime/ir/location.h"

namespace onnxport::torch_export {
namespace {

using ir::Arg;
using ir::ValueId;

constexpr std::string_view kSlice = "aten::slice.Tensor";
constexpr std::string_view kAlias = "aten::alias";

struct Slice {
  ValueId self;
  int64_t axis;
};

// Returns the slice of a call that takes the first elements of an axis.
std::optional<Slice> SliceOf(const ir::Node& call) {
  if (call.op != kSlice || call.inputs.size() < 5 || call.inputs[0].value() == nullptr) return std::nullopt;
  const auto number = [&](size_t i) { return std::get_if<int64_t>(&call.inputs[i].v); };
  const bool first = number(2) != nullptr && *number(2) == 0 && number(4) != nullptr && *number(4) == 1;
  if (!first || number(1) == nullptr) return std::nullopt;
  return Slice{*call.inputs[0].value(), *number(1)};
}

template <typename Change>
void ChangeIds(Arg* arg, const Change& change) {
  if (auto* id = std::get_if<ValueId>(&arg->v)) *id = change(*id);
  if (auto* list = std::get_if<ir::ArgList>(&arg->v)) {
    for (Arg& item : *list) ChangeIds(&item, change);
  }
}

// Makes room for a value with that id: an inserted value moves those after it. Ids of all runs follow the order of
// calls. So one id means the same value in all runs, and Merge relies on this.
void MoveValues(ir::Graph* graph, ValueId from) {
  const auto change = [from](ValueId id) {
    return id >= from ? static_cast<ValueId>(static_cast<int32_t>(id) + 1) : id;
  };
  for (ir::Node& node : graph->body.nodes) {
    for (Arg& input : node.inputs) ChangeIds(&input, change);
    for (ValueId& output : node.outputs) output = change(output);
  }
  for (ir::Port& output : graph->outputs) ChangeIds(&output.value, change);
  for (Arg& output : graph->body.outputs) ChangeIds(&output, change);
  for (ir::Weight& weight : graph->weights) weight.value = change(weight.value);
}

// A run that gets the slices of other runs.
class Completed {
 public:
  explicit Completed(ir::Graph* graph) : graph_(graph) {}

  // Adds the slice that `other` makes at that place, if this run left it out.
  void Add(size_t place, const ir::Graph& other) {
    const ir::Node& wanted = other.body.nodes[place];
    const Slice slice = *SliceOf(wanted);
    auto& nodes = graph_->body.nodes;
    const ValueId made = wanted.outputs.front();
    if (static_cast<size_t>(made) > graph_->values.size() || slice.self >= made) return;
    // A run that made other calls may have another value there, perhaps of another rank.
    const auto& dims = graph_->value(slice.self).dims;
    if (!dims || static_cast<size_t>(slice.axis) >= dims->size()) return;
    const int64_t size = (*dims)[static_cast<size_t>(slice.axis)].number();
    ir::Node call = wanted;
    call.inputs[3] = {size};
    call.location = graph_->AddLocation(other.location(wanted.location));
    const bool aliased = place < nodes.size() && nodes[place].op == kAlias &&
                         nodes[place].inputs[0].value() != nullptr && *nodes[place].inputs[0].value() == slice.self &&
                         nodes[place].outputs == wanted.outputs;
    if (aliased) {
      nodes[place] = std::move(call);
      return;
    }
    MoveValues(graph_, made);
    ir::Value value = graph_->value(slice.self);
    value.name = other.value(made).name;
    graph_->values.insert(graph_->values.begin() + static_cast<std::ptrdiff_t>(made), std::move(value));
    nodes.insert(nodes.begin() + static_cast<std::ptrdiff_t>(place), std::move(call));
    added_[made] = slice.self;
  }

  // Uses the slice's result instead of its operand where `other` does.
  void Follow(Arg* arg, const Arg& other) const {
    if (auto* list = std::get_if<ir::ArgList>(&arg->v)) {
      const ir::ArgList* others = other.list();
      for (size_t i = 0; others != nullptr && i < std::min(list->size(), others->size()); ++i)
        Follow(&(*list)[i], (*others)[i]);
      return;
    }
    auto* id = std::get_if<ValueId>(&arg->v);
    if (id == nullptr || other.value() == nullptr) return;
    for (auto found = added_.find(*other.value()); found != added_.end(); found = added_.find(found->second)) {
      if (found->second != *id) continue;
      *id = *other.value();
      return;
    }
  }
  void Follow(size_t place, const ir::Graph& other) {
    if (added_.empty() || place >= graph_->body.nodes.size()) return;
    auto& inputs = graph_->body.nodes[place].inputs;
    const auto& others = other.body.nodes[place].inputs;
    for (size_t i = 0; i < std::min(inputs.size(), others.size()); ++i) Follow(&inputs[i], others[i]);
  }
  void FollowOutputs(const ir::Graph& other) {
    for (size_t i = 0; i < std::min(graph_->outputs.size(), other.outputs.size()); ++i) {
      Follow(&graph_->outputs[i].value, other.outputs[i].value);
      graph_->body.outputs[i] = graph_->outputs[i].value;
    }
  }

  const ir::Graph& graph() const { return *graph_; }
  // Returns true if the call at that place is not this slice. For index({Slice(0, n), Slice(0, m)}), a run may leave
  // out the first slice and have the second. The axis tells which one it is.
  bool Lacks(size_t place, const Slice& slice) const {
    if (place >= graph_->body.nodes.size()) return true;
    const auto own = SliceOf(graph_->body.nodes[place]);
    return graph_->body.nodes[place].op != kSlice || (own && own->axis > slice.axis && own->self == slice.self);
  }

 private:
  ir::Graph* graph_;
  std::map<ValueId, ValueId> added_;  // slice -> the sliced value
};

// The run that slices the first axis at that place, or null.
const Completed* SlicesAt(const std::vector<Completed>& runs, size_t place) {
  const Completed* first = nullptr;
  int64_t axis = 0;
  for (const Completed& run : runs) {
    if (place >= run.graph().body.nodes.size()) continue;
    const auto slice = SliceOf(run.graph().body.nodes[place]);
    if (!slice || (first != nullptr && slice->axis >= axis)) continue;
    first = &run;
    axis = slice->axis;
  }
  return first;
}

}  // namespace

void AddFullSlices(std::vector<Run>* runs) {
  std::vector<Completed> completed;
  for (Run& run : *runs) completed.emplace_back(&run.graph);
  for (size_t place = 0;; ++place) {
    const auto ends = [&](const Completed& run) { return place >= run.graph().body.nodes.size(); };
    if (std::ranges::all_of(completed, ends)) break;
    // The first axis comes first, because index() slices in the order of axes.
    if (const Completed* first = SlicesAt(completed, place)) {
      const Slice slice = *SliceOf(first->graph().body.nodes[place]);
      for (Completed& run : completed) {
        if (run.Lacks(place, slice)) run.Add(place, first->graph());
      }
    }
    if (std::ranges::any_of(completed, ends)) return;  // the runs differ
    // The runs that had all slices show where the others must use them.
    for (Completed& run : completed) {
      for (const Completed& other : completed) run.Follow(place, other.graph());
    }
  }
  for (Completed& run : completed) {
    for (const Completed& other : completed) run.FollowOutputs(other.graph());
  }
}

}  // namespace onnxport::torch_export
