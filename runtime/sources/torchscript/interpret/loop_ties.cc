#include "runtime/sources/torchscript/interpret/loop_ties.h"

#include <utility>

namespace onnxport::torchscript {

bool LoopTies::Update(const std::vector<CellPtr>& after) {
  std::map<const Cell*, std::vector<size_t>> places;
  for (size_t place = 0; place < after.size(); ++place) places[after[place].get()].push_back(place);
  older_.resize(after.size());
  bool grew = false;
  for (size_t place = 0; place < after.size(); ++place) {
    std::vector<CellPtr> candidates = heap_.TiedTo(*after[place]);
    candidates.push_back(after[place]);
    for (CellPtr& cell : candidates) {
      if (const auto found = places.find(cell.get()); found != places.end()) {
        for (const size_t other : found->second)
          grew |= other != place && pairs_.emplace(std::minmax(place, other)).second;
      }
      if (cell->serial < mark_) grew |= older_[place].try_emplace(cell.get(), cell).second;
    }
  }
  return grew;
}

void LoopTies::Tie(const std::vector<CellPtr>& places) {
  for (const auto& [one, other] : pairs_) heap_.Tie(places[one], places[other]);
  for (size_t place = 0; place < older_.size(); ++place) {
    for (const auto& [key, cell] : older_[place]) heap_.Tie(places[place], cell);
  }
}

void LoopTies::Clear() {
  pairs_.clear();
  older_.clear();
}

}  // namespace onnxport::torchscript
