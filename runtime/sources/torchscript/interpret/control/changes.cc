#include "runtime/sources/torchscript/interpret/control/changes.h"

#include <cstddef>
#include <map>

namespace onnxport::torchscript {

std::vector<VariableSides> PairVariables(const std::vector<Frame::Change>& then,
                                         const std::vector<Frame::Change>& otherwise) {
  const auto before = [](const Frame::Change& change) { return change.before ? &*change.before : nullptr; };
  std::vector<VariableSides> pairs;
  std::map<std::string, size_t> index;
  for (const Frame::Change& change : then) {
    index[change.name] = pairs.size();
    // Until a change on the other side is found, the value there is the old one.
    pairs.push_back({change.name, &change.after, before(change)});
  }
  for (const Frame::Change& change : otherwise) {
    const auto [found, is_new] = index.try_emplace(change.name, pairs.size());
    // The first side did not change it, so its value there is the one before the `if`.
    if (is_new) pairs.push_back({change.name, before(change), nullptr});
    pairs[found->second].otherwise = &change.after;
  }
  return pairs;
}

std::vector<CellSides> PairCells(const std::vector<Heap::Change>& then, const std::vector<Heap::Change>& otherwise) {
  std::vector<CellSides> pairs;
  std::map<const Cell*, size_t> index;
  for (const Heap::Change& change : then) {
    index[change.cell.get()] = pairs.size();
    pairs.push_back({change.cell, &change.after, &change.before});
  }
  for (const Heap::Change& change : otherwise) {
    const auto [found, is_new] = index.try_emplace(change.cell.get(), pairs.size());
    if (is_new) pairs.push_back({change.cell, &change.before, nullptr});
    pairs[found->second].otherwise = &change.after;
  }
  return pairs;
}

}  // namespace onnxport::torchscript
