#include "runtime/sources/pt2/replay/vmap.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/aten/aten_schema.h"
#include "runtime/sources/pt2/replay/tensor_calls.h"
#include "runtime/trace/functionalize/twins.h"

namespace onnxport::pt2 {
namespace {

using ir::Arg;
using ir::ValueId;
using Args = std::vector<Arg>;

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

bool BeginsVmap(const ir::Node& call) { return call.op == kBegin; }

bool IsEmptyMark(const ir::Node& call) { return call.op == kNothing; }

size_t EndOf(const Calls& calls, size_t first) {
  int depth = 0;
  for (size_t i = first; i < calls.size(); ++i) {
    depth += calls[i]->op == kBegin ? 1 : 0;
    depth -= calls[i]->op == kEnd ? 1 : 0;
    if (depth == 0) return i + 1;
  }
  return calls.size();
}

struct Vmap::Parts {
  Calls shared;   // calls that are the same for all elements
  Calls batched;  // the others
  Calls removed;  // calls that end the batch, and its results
};

// Divides the calls between the marks, which are the first and the last one.
Vmap::Parts Vmap::Divide(const Calls& calls) const {
  Parts parts;
  Values batched;
  for (size_t i = 1; i + 1 < calls.size();) {
    const size_t end = std::min(EndOf(calls, i), calls.size() - 1);
    const Calls part(calls.begin() + static_cast<std::ptrdiff_t>(i), calls.begin() + static_cast<std::ptrdiff_t>(end));
    const bool uses = std::ranges::any_of(part, [&](const ir::Node* call) {
      return IsOfLevel(*call, kAdd, 2, level_) || UsesAny(call->inputs, batched);
    });
    if (IsOfLevel(*part[0], kRemove, 1, level_)) {
      parts.removed.push_back(part[0]);
    } else {
      Calls& to = uses ? parts.batched : parts.shared;
      to.insert(to.end(), part.begin(), part.end());
      for (const ir::Node* call : part) {
        if (uses) batched.insert(call->outputs.begin(), call->outputs.end());
      }
    }
    i = end;
  }
  return parts;
}

// Makes a loop over the batch, as for `map`.
void Vmap::Make(const Calls& calls) {
  const ir::Node& begin = *calls.front();
  tracer_.places().Set(begin.location);
  ++level_;
  const Parts parts = Divide(calls);
  const auto* randomness = begin.inputs.size() == 2 ? std::get_if<std::string>(&begin.inputs[1].v) : nullptr;
  const bool random = randomness == nullptr || *randomness == "same";
  // Before the loop, they would run before reads that must come first.
  const bool writes = std::ranges::any_of(parts.shared, [](const ir::Node* call) { return Writes(*call); });
  if (random || writes || calls.back()->op != kEnd) {
    const ValueId failed = tracer_.Fail(
        begin.op,
        writes ? "writes in place to a tensor that all elements of the batch share; use the form without `_`"
               : "is of a kind that is not exported: one random number for all elements; randomness=\"different\" is");
    // A value that failed causes no report of its own.
    for (const Calls* made : {&parts.shared, &parts.removed}) {
      for (const ir::Node* call : *made) {
        for (const ValueId id : call->outputs) {
          if (id != ValueId::kNone) values_.Set(id, {failed});
        }
      }
    }
  } else {
    make_calls_(parts.shared);
    if (!parts.removed.empty()) LoopOver(parts, values_.Present(begin.inputs[0]));
  }
  // Values inside do not exist outside.
  for (const ir::Node* call : parts.batched) {
    for (const ValueId id : call->outputs) {
      if (id != ValueId::kNone) values_.Set(id, {});
    }
  }
  --level_;
}

void Vmap::LoopOver(const Parts& parts, const Arg& size) {
  Calls added;
  Calls rest;
  for (const ir::Node* call : parts.batched) (IsOfLevel(*call, kAdd, 2, level_) ? added : rest).push_back(call);
  Args stacks;
  for (const ir::Node* call : added) {
    tracer_.places().Set(call->location);
    stacks.push_back(AxisMoved(values_.Present(call->inputs[0]), call->inputs[1], {int64_t{0}}));
  }
  const auto body = [&](const Args& elements) {
    for (size_t i = 0; i < added.size(); ++i) values_.Bind(*added[i], added[i]->outputs[0], elements[i]);
    make_calls_(rest);
    Args ends;
    for (const ir::Node* call : parts.removed) ends.push_back(values_.Present(call->inputs[0]));
    return ends;
  };
  const Args results = loops_.ForEach(*parts.removed.front(), size, stacks, body);
  for (size_t i = 0; i < parts.removed.size() && i < results.size(); ++i) {
    const ir::Node& call = *parts.removed[i];
    tracer_.places().Set(call.location);
    Arg result = AxisMoved(results[i], {int64_t{0}}, call.inputs.back());
    values_.HoldTo(call, call.outputs[0], result);
    values_.Bind(call, call.outputs[0], std::move(result));
  }
}

Arg Vmap::AxisMoved(const Arg& tensor, const Arg& from, const Arg& to) {
  const auto first = [](const Arg& axis) { return std::get_if<int64_t>(&axis.v) && std::get<int64_t>(axis.v) == 0; };
  return first(from) && first(to) ? tensor : CallOne(&tracer_, "aten::movedim.int", {tensor, from, to});
}

}  // namespace onnxport::pt2
