#include "runtime/ir/operator.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace onnxport::ir {

const std::string Operator::kNoText;

// The names of the operators of all graphs, each once.
class Operator::Names {
 public:
  static std::shared_ptr<const Named> Of(std::string_view text) {
    static Names& names = *new Names();  // outlives every other static object
    return text.empty() ? nullptr : names.Find(text);
  }

 private:
  static constexpr size_t kFirstSweep = 4096;

  std::shared_ptr<const Named> Find(std::string_view text) {
    const std::lock_guard lock(mutex_);
    if (const auto known = names_.find(text); known != names_.end()) return known->second;
    if (names_.size() >= next_sweep_) Sweep();
    const auto named = std::make_shared<const Named>(Named{std::string(text), std::nullopt});
    names_.emplace(named->text, named);
    return named;
  }

  // Drops the names that no graph has any more: a file may have any number of them, and a process read any number of
  // files. Only when they are twice as many as were left, so that it costs each new name a constant.
  void Sweep() {
    std::erase_if(names_, [](const auto& name) { return name.second.use_count() == 1; });
    next_sweep_ = std::max(kFirstSweep, 2 * names_.size());
  }

  std::mutex mutex_;
  std::unordered_map<std::string_view, std::shared_ptr<const Named>> names_;  // keys are the texts of the values
  size_t next_sweep_ = kFirstSweep;
};

Operator::Operator(std::string_view name) : named_(Names::Of(name)) {}

Operator::Operator(Instruction instruction) {
  static const auto& all = *new std::array<std::shared_ptr<const Named>, kInstructions>([] {
    std::array<std::shared_ptr<const Named>, kInstructions> made;
    for (size_t i = 0; i < kInstructions; ++i) {
      const auto each = static_cast<Instruction>(i);
      made[i] = std::make_shared<const Named>(Named{TextOf(each), each});
    }
    return made;
  }());
  named_ = all[static_cast<size_t>(instruction)];
}

}  // namespace onnxport::ir
