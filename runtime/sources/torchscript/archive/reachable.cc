// Walks over the values of a pickle before any other code. So later walks need not check for cycles, for depth, or for
// a few values that contain each other in too many ways.
#include "runtime/sources/torchscript/archive/reachable.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "runtime/base/refusal.h"

namespace onnxport::torchscript {
namespace {

template <typename Visit>
void ForEachPart(const Pickled& value, const Visit& visit) {
  if (const auto* list = std::get_if<Pickled::List>(&value.v))
    for (const PickledPtr& item : list->items) visit(item);
  if (const auto* tuple = std::get_if<Pickled::Tuple>(&value.v))
    for (const PickledPtr& item : tuple->items) visit(item);
  if (const auto* dict = std::get_if<Pickled::Dict>(&value.v))
    for (const auto& [key, item] : dict->items) visit(key), visit(item);
  if (const auto* object = std::get_if<Pickled::Object>(&value.v)) {
    if (!object->state) throw Refusal("makes an object without a state");
    visit(object->state);
  }
  if (const auto* item = std::get_if<Pickled::Enum>(&value.v)) visit(item->value);
}

}  // namespace

Depths Reachable(const Pickled& root, size_t most_steps) {
  Depths depths;
  using Open = std::pair<const Pickled*, int>;
  std::vector<Open, BudgetAllocator<Open>> open = {{&root, 0}};
  for (size_t steps = 0; !open.empty(); ++steps) {
    const auto [value, depth] = open.back();
    open.pop_back();
    if (depth > kMaxPickleDepth) throw Refusal(fmt::format("is nested deeper than {}", kMaxPickleDepth));
    if (steps >= most_steps) throw Refusal("repeats itself beyond reason");
    const auto [found, is_new] = depths.try_emplace(value, depth);
    // It was visited at this depth or a greater one, so the depths below are right already.
    if (!is_new && found->second >= depth) continue;
    found->second = depth;
    ForEachPart(*value, [&, depth = depth](const PickledPtr& part) {
      if (part) open.emplace_back(part.get(), depth + 1);
    });
  }
  return depths;
}

}  // namespace onnxport::torchscript
