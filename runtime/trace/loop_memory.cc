#include "runtime/trace/loop_memory.h"

#include <algorithm>
#include <unordered_map>

namespace onnxport::trace {

using ir::ValueId;

void FindMemory(std::vector<LoopPlace>* places) {
  std::unordered_map<ValueId, LoopPlace*> inputs;
  for (LoopPlace& place : *places) {
    inputs[place.inside] = &place;
    place.memory.insert(place.next.bases.begin(), place.next.bases.end());
  }
  for (bool grows = true; grows;) {
    grows = false;
    for (LoopPlace& place : *places) {
      const std::vector<ValueId> bases(place.memory.begin(), place.memory.end());
      for (const ValueId base : bases) {
        const auto input = inputs.find(base);
        if (input == inputs.end() || input->second == &place) continue;
        const size_t before = place.memory.size();
        const std::vector<ValueId> more(input->second->memory.begin(), input->second->memory.end());
        place.memory.insert(more.begin(), more.end());
        grows = grows || place.memory.size() > before;
      }
    }
  }
}

bool AreLinked(const std::vector<const LoopPlace*>& sharers) {
  const bool written = std::ranges::any_of(sharers, [](const LoopPlace* place) { return place->written; });
  if (!written) return true;
  return std::ranges::all_of(sharers, [&](const LoopPlace* a) {
    return std::ranges::all_of(sharers, [&](const LoopPlace* b) { return a == b || a->entered.contains(b->inside); });
  });
}

std::vector<ValueId> OlderMemory(const std::vector<LoopPlace>& places, const std::vector<ValueId>& bases, size_t mark) {
  std::set<ValueId> memory(bases.begin(), bases.end());
  for (const LoopPlace& place : places) {
    if (memory.contains(place.inside)) memory.insert(place.memory.begin(), place.memory.end());
  }
  for (const LoopPlace& place : places) {
    if (memory.contains(place.inside)) memory.insert(place.initial.bases.begin(), place.initial.bases.end());
  }
  std::vector<ValueId> older(memory.begin(), memory.end());
  std::erase_if(older, [&](ValueId base) { return static_cast<size_t>(base) >= mark; });
  return older;
}

}  // namespace onnxport::trace
