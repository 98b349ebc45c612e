#include "runtime/ir/operator.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace onnxport::ir {

const std::string Operator::kNoText;

// The names of the operators of all graphs, each once. The first few thousand stay as long as the process. They are
// found without a lock, and copies of such an operator do not count references, so parallel exports do not wait for one
// another. onnxport itself knows fewer operators than that. But a process may read any number of files with any number
// of names, so later names are dropped when no graph uses them any more.
class Operator::Names {
 public:
  static std::shared_ptr<const Named> Of(std::string_view text) {
    static Names& names = *new Names();  // outlives every other static object
    return text.empty() ? nullptr : names.Find(text);
  }
  // Without a count of references.
  static std::shared_ptr<const Named> Staying(const Named* named) { return {std::shared_ptr<const Named>(), named}; }

 private:
  static constexpr size_t kBuckets = 4096;
  static constexpr size_t kMostStaying = 8192;
  static constexpr size_t kLongestStaying = 256;
  static constexpr size_t kFirstSweep = 4096;

  std::shared_ptr<const Named> Find(std::string_view text) {
    std::atomic<const Named*>& bucket = staying_[std::hash<std::string_view>()(text) % kBuckets];
    if (const Named* known = FindIn(bucket, text)) return Staying(known);
    const std::lock_guard lock(mutex_);
    // Another thread may have added it in the meantime.
    if (const Named* known = FindIn(bucket, text)) return Staying(known);
    if (staying_count_ < kMostStaying && text.size() <= kLongestStaying) return Keep(&bucket, text);
    return Count(text);
  }

  static const Named* FindIn(const std::atomic<const Named*>& bucket, std::string_view text) {
    const Named* each = bucket.load(std::memory_order_acquire);
    while (each != nullptr && each->text != text) each = each->next;
    return each;
  }

  // The lock must be held, here and below.
  std::shared_ptr<const Named> Keep(std::atomic<const Named*>* bucket, std::string_view text) {
    auto* named = new Named(text, std::nullopt);
    named->next = bucket->load(std::memory_order_relaxed);
    bucket->store(named, std::memory_order_release);
    ++staying_count_;
    return Staying(named);
  }

  std::shared_ptr<const Named> Count(std::string_view text) {
    if (const auto known = counted_.find(text); known != counted_.end()) return known->second;
    if (counted_.size() >= next_sweep_) Sweep();
    const auto named = std::make_shared<const Named>(text, std::nullopt);
    counted_.emplace(named->text, named);
    return named;
  }

  // Drops the names that no graph uses any more. It runs only when there are twice as many as were left the last time,
  // so the cost per new name is constant.
  void Sweep() {
    std::erase_if(counted_, [](const auto& name) { return name.second.use_count() == 1; });
    next_sweep_ = std::max(kFirstSweep, 2 * counted_.size());
  }

  std::array<std::atomic<const Named*>, kBuckets> staying_ = {};
  std::mutex mutex_;  // protects the members below, and additions to the names that stay
  size_t staying_count_ = 0;
  std::unordered_map<std::string_view, std::shared_ptr<const Named>> counted_;  // keys are the texts of the values
  size_t next_sweep_ = kFirstSweep;
};

Operator::Operator(std::string_view name) : named_(Names::Of(name)) {}

Operator::Operator(Instruction instruction) {
  static const auto& all = *new std::array<const Named*, kInstructions>([] {
    std::array<const Named*, kInstructions> made;
    for (size_t i = 0; i < kInstructions; ++i) {
      const auto each = static_cast<Instruction>(i);
      made[i] = new Named(TextOf(each), each);
    }
    return made;
  }());
  named_ = Names::Staying(all[static_cast<size_t>(instruction)]);
}

}  // namespace onnxport::ir
