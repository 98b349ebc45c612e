#include "runtime/sources/pt2/replay/call_queue.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace onnxport::pt2 {
namespace {

using ir::ValueId;

// It includes values made within the call. The order of ids is not reliable: only those of a file follow the order of
// its calls.
ValueId LowestOf(const ir::Node& call, ValueId lowest) {
  const auto note = [&](ValueId id) {
    if (id != ValueId::kNone) lowest = std::min(lowest, id);
  };
  std::ranges::for_each(call.outputs, note);
  for (const ir::Block& block : call.blocks) {
    std::ranges::for_each(block.inputs, note);
    for (const ir::Node& inner : block.nodes) lowest = LowestOf(inner, lowest);
  }
  return lowest;
}

}  // namespace

Calls CallsOf(const ir::Block& block) {
  Calls calls;
  calls.reserve(block.nodes.size());
  for (const ir::Node& call : block.nodes) calls.push_back(&call);
  return calls;
}

CallQueue::CallQueue(ir::Graph* program) : values_(std::move(program->values)) {
  std::vector<ir::Node> calls = std::move(program->body.nodes);
  first_.resize(calls.size() + 1, static_cast<ValueId>(values_.size()));
  for (size_t i = calls.size(); i-- > 0;) first_[i] = LowestOf(calls[i], first_[i + 1]);
  // The front of a deque can be freed in parts.
  calls_.assign(std::move_iterator(calls.begin()), std::move_iterator(calls.end()));
}

Calls CallQueue::calls() const {
  Calls calls;
  calls.reserve(calls_.size());
  for (const ir::Node& call : calls_) calls.push_back(&call);
  return calls;
}

void CallQueue::Drop(size_t count) {
  calls_.erase(calls_.begin(), calls_.begin() + static_cast<std::ptrdiff_t>(count));
  dropped_calls_ += count;
  const auto first = static_cast<size_t>(first_[dropped_calls_]);
  for (; dropped_values_ < first; ++dropped_values_) values_.pop_front();
}

}  // namespace onnxport::pt2
