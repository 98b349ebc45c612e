#include "runtime/trace/loop_memory.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "runtime/trace/open_regions.h"

namespace onnxport::trace {

using ir::ValueId;

namespace {

std::unordered_set<ValueId> WrittenBases(const Region& body) {
  std::unordered_set<ValueId> bases;
  for (const Region::Write& write : body.writes) bases.insert(write.base);
  return bases;
}

// Returns true if the body knows that these share memory, in case one of them is written to.
bool AreLinked(const std::vector<const LoopPlace*>& sharers) {
  const bool written = std::ranges::any_of(sharers, [](const LoopPlace* place) { return place->written; });
  if (!written) return true;
  return std::ranges::all_of(sharers, [&](const LoopPlace* a) {
    return std::ranges::all_of(sharers, [&](const LoopPlace* b) { return a == b || a->entered.contains(b->inside); });
  });
}

}  // namespace

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

void ForgetShared(std::vector<LoopPlace>* places, const std::vector<std::vector<ValueId>>& scan_bases, size_t mark) {
  std::unordered_map<ValueId, std::set<const void*>> users;  // of memory that the body made or began with
  const auto add = [&](ValueId base, const void* user) {
    if (static_cast<size_t>(base) >= mark) users[base].insert(user);
  };
  for (const LoopPlace& place : *places) {
    add(place.inside, &place);
    for (const ValueId base : place.memory) add(base, &place);
  }
  for (const std::vector<ValueId>& bases : scan_bases) {
    for (const ValueId base : bases) add(base, &scan_bases);
  }
  const auto is_shared = [&](ValueId base) { return users.contains(base) && users[base].size() > 1; };
  for (LoopPlace& place : *places) {
    if (is_shared(place.inside) || std::ranges::any_of(place.memory, is_shared)) place.still = {};
  }
}

bool IsSharingFollowed(const std::vector<LoopPlace>& places, const Region& body) {
  const std::unordered_set<ValueId> written = WrittenBases(body);
  const size_t mark = body.rest->mark;
  std::unordered_map<ValueId, std::vector<const LoopPlace*>> users;
  for (const LoopPlace& place : places) {
    const auto changes = [&](ValueId base) { return place.written || written.contains(base); };
    for (const ValueId base : place.initial.bases) {
      if (!place.entered.contains(base) && changes(base)) return false;
    }
    for (const ValueId base : place.memory) {
      users[base].push_back(&place);
      const bool linked = static_cast<size_t>(base) >= mark || place.entered.contains(base);
      if (!linked && changes(base)) return false;
    }
  }
  if (!std::ranges::all_of(users, [](const auto& user) { return AreLinked(user.second); })) return false;
  // If an iteration may write to a tensor under another name, the tensor is out of date in the next iteration.
  return std::ranges::none_of(body.rest->changes.doubts, [&](const auto& doubt) {
    const ValueId base = doubt.first;
    return static_cast<size_t>(base) < mark && (body.rest->reads.contains(base) || written.contains(base));
  });
}

bool StaysAsItIs(const std::vector<LoopPlace>& places, const std::vector<std::vector<ValueId>>& scan_bases,
                 const Region& body) {
  const std::unordered_set<ValueId> written = WrittenBases(body);
  const auto changes = [&](ValueId base) {
    return written.contains(base) || std::ranges::any_of(places, [&](const LoopPlace& place) {
             return place.written &&
                    (place.inside == base || place.entered.contains(base) || place.memory.contains(base));
           });
  };
  return std::ranges::none_of(scan_bases,
                              [&](const std::vector<ValueId>& bases) { return std::ranges::any_of(bases, changes); });
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
