#include "runtime/model/functions/partition.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace onnxport::functions {
namespace {

// Part k of a module is at place 2k + 1, and single nodes are at the even places around it. A node needs only nodes at
// its own or an earlier place, and two parts never have the same place.
class Placer {
 public:
  Placer(const std::vector<int>& modules, const std::vector<std::vector<size_t>>& needs)
      : modules_(modules), needs_(needs), place_(modules.size()), last_(modules.size()) {}

  std::vector<Part> Run() {
    for (size_t i = 0; i < modules_.size(); ++i) PlaceEarly(i);
    std::vector<size_t> limit(modules_.size(), std::numeric_limits<size_t>::max());
    for (size_t i = modules_.size(); i-- > 0;) PlaceLate(i, &limit);
    return InOrder();
  }

 private:
  bool IsSingle(size_t i) const { return modules_[i] == kNoModule; }

  // Puts a single node as early as possible, so that a module that needs it is not split. A node of a module goes to
  // the module's last part, or to a new one.
  void PlaceEarly(size_t i) {
    size_t needed = 0;
    for (const size_t made : needs_[i]) {
      needed = std::max(needed, place_[made] + (IsSingle(i) && !IsSingle(made) ? 1 : 0));
    }
    last_[i] = 2 * parts_;
    if (IsSingle(i)) {
      place_[i] = needed;
      return;
    }
    const auto [open, is_new] = open_.try_emplace(modules_[i], 0);
    if (is_new || open->second < needed) open->second = 2 * parts_++ + 1;
    place_[i] = open->second;
  }

  // Moves it back to its original place, after the parts that had begun, unless it is needed earlier.
  void PlaceLate(size_t i, std::vector<size_t>* limit) {
    if (IsSingle(i)) place_[i] = std::min(last_[i], (*limit)[i]);
    const size_t before = IsSingle(i) ? place_[i] : place_[i] - 1;
    for (const size_t made : needs_[i]) (*limit)[made] = std::min((*limit)[made], before);
  }

  std::vector<Part> InOrder() const {
    std::vector<std::vector<size_t>> at(2 * parts_ + 1);
    for (size_t i = 0; i < place_.size(); ++i) at[place_[i]].push_back(i);
    std::vector<Part> parts;
    for (size_t place = 0; place < at.size(); ++place) {
      if (place % 2 == 1) {
        const int module = modules_[at[place].front()];
        parts.push_back({module, std::move(at[place])});
      } else {
        for (const size_t i : at[place]) parts.push_back({kNoModule, {i}});
      }
    }
    return parts;
  }

  const std::vector<int>& modules_;
  const std::vector<std::vector<size_t>>& needs_;
  std::vector<size_t> place_;
  std::vector<size_t> last_;  // the latest place of a single node
  size_t parts_ = 0;
  std::unordered_map<int, size_t> open_;  // the place of a module's last part
};

}  // namespace

std::vector<Part> Partition(const std::vector<int>& modules, const std::vector<std::vector<size_t>>& needs) {
  return Placer(modules, needs).Run();
}

}  // namespace onnxport::functions
