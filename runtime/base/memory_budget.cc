#include "runtime/base/memory_budget.h"

#include <algorithm>

#include "runtime/base/error.h"

namespace onnxport {
namespace {

thread_local MemoryBudget* current = nullptr;

}  // namespace

MemoryBudget::MemoryBudget(std::string file, uint64_t file_size)
    : file_(std::move(file)), file_size_(file_size), limit_(kAlways), outer_(std::exchange(current, this)) {
  uint64_t share = 0;
  if (__builtin_mul_overflow(file_size, kForEachByte, &share) || __builtin_add_overflow(limit_, share, &limit_))
    limit_ = UINT64_MAX;
}

MemoryBudget::~MemoryBudget() { current = outer_; }

void MemoryBudget::Take(uint64_t bytes) {
  MemoryBudget* budget = current;
  if (budget == nullptr) return;
  if (bytes > budget->limit_ - budget->used_) {
    throw Error(ErrorKind::kBadInput, (budget->place_ ? budget->place_() : budget->file_ + ": what it describes") +
                                          " needs more memory than a file of " + std::to_string(budget->file_size_) +
                                          " bytes is given: " + std::to_string(budget->limit_) + " bytes (" +
                                          std::to_string(kForEachByte) + " for each of its own, and 1 GiB)");
  }
  budget->used_ += bytes;
}

void MemoryBudget::Give(uint64_t bytes) noexcept {
  if (current != nullptr) current->used_ -= std::min(bytes, current->used_);
}

MemoryBudget::Place::Place(std::function<std::string()> describe) : budget_(current) {
  if (budget_ != nullptr) before_ = std::exchange(budget_->place_, std::move(describe));
}

MemoryBudget::Place::~Place() {
  if (budget_ != nullptr) budget_->place_ = std::move(before_);
}

}  // namespace onnxport
