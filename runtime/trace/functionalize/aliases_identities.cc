// Which tensors are one and the same: always, or where a condition holds.
#include <unordered_set>
#include <utility>

#include "runtime/trace/functionalize/added_calls.h"
#include "runtime/trace/functionalize/aliases.h"
#include "runtime/trace/functionalize/views.h"

namespace onnxport::functionalize {

using ir::Arg;
using ir::ValueId;

namespace {

Arg Both(record::Recorder* recorder, Arg a, Arg b) {
  if (std::holds_alternative<bool>(a.v)) return std::get<bool>(a.v) ? b : a;
  return AddInstruction(recorder, ir::Instruction::kAnd, {std::move(a), std::move(b)});
}

Arg ConditionOf(record::Recorder* recorder, const Link& link) {
  if (link.when) return {link.condition};
  return AddInstruction(recorder, ir::Instruction::kNot, {{link.condition}});
}

}  // namespace

ValueId Aliases::WholeAt(ValueId tensor) {
  const ir::Graph& graph = recorder_->graph();
  while (true) {
    const Tensor& view = At(tensor);
    if (view.parent == ValueId::kNone || !KeepsOrder(view.view->op)) return tensor;
    const ir::Value& mine = graph.value(tensor);
    const ir::Value& theirs = graph.value(view.parent);
    if (!mine.dims || mine.dims != theirs.dims || mine.dtype != theirs.dtype) return tensor;
    tensor = view.parent;
  }
}

std::optional<std::vector<Identity>> Aliases::Identities(ValueId tensor, const std::function<bool(ValueId)>& is_end) {
  struct Step {
    ValueId tensor;
    Arg when;
    int from;  // storage
  };
  std::vector<Identity> found;
  std::vector<Step> open = {{NameOf(tensor), {true}, -1}};
  std::unordered_set<int> seen = {At(open[0].tensor).storage};
  while (!open.empty()) {
    const Step step = std::move(open.back());
    open.pop_back();
    const ValueId whole = WholeAt(step.tensor);
    if (is_end(whole)) {
      if (OutermostRepeat(whole) != ValueId::kNone) return std::nullopt;
      found.push_back({whole, step.when});
      continue;
    }
    const int index = At(whole).storage;
    if (is_end(storage(index).base) || !storage(index).doubtful.empty()) return std::nullopt;
    const std::vector<Link> links = storage(index).maybe;
    const std::unordered_set<int> before = seen;
    for (const Link& link : links) {
      if (link.other == step.from) continue;
      const bool is_known = link.condition != ValueId::kNone && WholeAt(link.mine) == whole;
      if (!is_known || before.contains(link.other)) return std::nullopt;
      seen.insert(link.other);
      open.push_back({link.theirs, Both(recorder_, step.when, ConditionOf(recorder_, link)), index});
    }
  }
  return found;
}

}  // namespace onnxport::functionalize
