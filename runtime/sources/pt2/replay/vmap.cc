// functorch's vmap in a program of torch.export: the calls between its two marks are for one element of the batch.
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "runtime/aten/aten_schema.h"
#include "runtime/sources/pt2/replay/player.h"
#include "runtime/trace/functionalize/twins.h"

namespace onnxport::pt2 {
namespace {

using ir::Arg;
using ir::ValueId;

constexpr std::string_view kBegin = "torch._functorch.predispatch._vmap_increment_nesting";
constexpr std::string_view kEnd = "torch._functorch.predispatch._vmap_decrement_nesting";
constexpr std::string_view kAdd = "torch._functorch.predispatch._add_batch_dim";
constexpr std::string_view kRemove = "torch._functorch.predispatch._remove_batch_dim";
constexpr std::string_view kNothing = "torch._functorch.predispatch.lazy_load_decompositions";

using Values = std::unordered_set<ValueId>;

bool UsesAny(const std::vector<Arg>& args, const Values& values) {
  return std::ranges::any_of(args, [&](const Arg& arg) {
    if (arg.list() != nullptr) return UsesAny(*arg.list(), values);
    return arg.value() != nullptr && values.contains(*arg.value());
  });
}

// The end of what starts at `first`: a call, or all of a nested vmap.
size_t EndOf(const Calls& calls, size_t first) {
  int depth = 0;
  for (size_t i = first; i < calls.size(); ++i) {
    depth += calls[i]->op == kBegin ? 1 : 0;
    depth -= calls[i]->op == kEnd ? 1 : 0;
    if (depth == 0) return i + 1;
  }
  return calls.size();
}

bool IsOfLevel(const ir::Node& call, std::string_view op, size_t position, int64_t level) {
  if (call.op != op || call.inputs.size() <= position || call.outputs.size() != 1) return false;
  const auto* is = std::get_if<int64_t>(&call.inputs[position].v);
  return is != nullptr && *is == level;
}

bool Writes(const ir::Node& call) {
  const ir::AtenSchema* schema = ir::FindAtenSchema(call.op);
  return schema != nullptr && functionalize::Writes(*schema, call.inputs);
}

}  // namespace

struct Player::Vmap {
  Calls shared;   // calls that are the same for all elements
  Calls batched;  // the others
  Calls removed;  // what ends the batch: its results
};

void Player::Play(const Calls& calls) {
  for (size_t i = 0; i < calls.size();) i = PlayFrom(calls, i);
}

size_t Player::PlayFrom(const Calls& calls, size_t first) {
  const size_t end = EndOf(calls, first);
  if (calls[first]->op == kBegin) {
    PlayVmap({calls.begin() + static_cast<std::ptrdiff_t>(first), calls.begin() + static_cast<std::ptrdiff_t>(end)});
  } else if (calls[first]->op != kNothing) {
    MakeCall(*calls[first]);
  }
  return end;
}

// `calls` without its first and last one.
Player::Vmap Player::Divide(const Calls& calls) const {
  Vmap vmap;
  Values batched;
  for (size_t i = 1; i + 1 < calls.size();) {
    const size_t end = std::min(EndOf(calls, i), calls.size() - 1);
    const Calls part(calls.begin() + static_cast<std::ptrdiff_t>(i), calls.begin() + static_cast<std::ptrdiff_t>(end));
    const bool uses = std::ranges::any_of(part, [&](const ir::Node* call) {
      return IsOfLevel(*call, kAdd, 2, vmap_level_) || UsesAny(call->inputs, batched);
    });
    if (IsOfLevel(*part[0], kRemove, 1, vmap_level_)) {
      vmap.removed.push_back(part[0]);
    } else {
      Calls& to = uses ? vmap.batched : vmap.shared;
      to.insert(to.end(), part.begin(), part.end());
      for (const ir::Node* call : part) {
        if (uses) batched.insert(call->outputs.begin(), call->outputs.end());
      }
    }
    i = end;
  }
  return vmap;
}

// Over the batch, as `map` is.
void Player::PlayVmap(const Calls& calls) {
  const ir::Node& begin = *calls.front();
  tracer_.SetLocation(begin.location);
  ++vmap_level_;
  const Vmap vmap = Divide(calls);
  const auto* randomness = begin.inputs.size() == 2 ? std::get_if<std::string>(&begin.inputs[1].v) : nullptr;
  const bool random = randomness == nullptr || *randomness == "same";
  // Made before the loop, they would come before reads that they should come after.
  const bool writes = std::ranges::any_of(vmap.shared, [](const ir::Node* call) { return Writes(*call); });
  if (random || writes || calls.back()->op != kEnd) {
    tracer_.Fail(begin.op, writes ? "writes in place to a tensor that all elements of the batch share"
                                  : "is of a kind that is not exported: one random number for all elements");
  } else {
    Play(vmap.shared);
    if (!vmap.removed.empty()) LoopOver(vmap, Present(begin.inputs[0]));
  }
  // What is inside does not exist outside.
  for (const ir::Node* call : vmap.batched) {
    for (const ValueId id : call->outputs) {
      if (id != ValueId::kNone) ArgOf(id) = {};
    }
  }
  --vmap_level_;
}

void Player::LoopOver(const Vmap& vmap, const Arg& size) {
  Calls added;
  Calls rest;
  for (const ir::Node* call : vmap.batched) (IsOfLevel(*call, kAdd, 2, vmap_level_) ? added : rest).push_back(call);
  Args stacks;
  for (const ir::Node* call : added) {
    tracer_.SetLocation(call->location);
    stacks.push_back(AxisMoved(Present(call->inputs[0]), call->inputs[1], {int64_t{0}}));
  }
  const auto body = [&](const Args& elements) {
    for (size_t i = 0; i < added.size(); ++i) Bind(*added[i], added[i]->outputs[0], elements[i]);
    Play(rest);
    Args ends;
    for (const ir::Node* call : vmap.removed) ends.push_back(Present(call->inputs[0]));
    return ends;
  };
  const Args results = PlayRows(*vmap.removed.front(), size, stacks, body);
  for (size_t i = 0; i < vmap.removed.size() && i < results.size(); ++i) {
    const ir::Node& call = *vmap.removed[i];
    tracer_.SetLocation(call.location);
    Arg result = AxisMoved(results[i], {int64_t{0}}, call.inputs.back());
    if (result.value() != nullptr && !at_once_) tracer_.HoldTo(call.op, queue_.value(call.outputs[0]), *result.value());
    Bind(call, call.outputs[0], std::move(result));
  }
}

Arg Player::AxisMoved(const Arg& tensor, const Arg& from, const Arg& to) {
  const auto first = [](const Arg& axis) { return std::get_if<int64_t>(&axis.v) && std::get<int64_t>(axis.v) == 0; };
  return first(from) && first(to) ? tensor : CallOne("aten::movedim.int", {tensor, from, to});
}

}  // namespace onnxport::pt2
