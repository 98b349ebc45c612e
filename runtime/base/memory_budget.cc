#include "runtime/base/memory_budget.h"

#include <algorithm>

#include "runtime/base/budget_of_thread.h"
#include "runtime/base/error.h"
#include "runtime/base/interruption.h"

namespace onnxport {
namespace {

// One per thread: containers call allocators, and no argument can reach those.
thread_local MemoryBudget* current = nullptr;

}  // namespace

MemoryBudget::MemoryBudget(std::string file, uint64_t file_size, std::optional<uint64_t> limit, const char* way_out)
    : file_(std::move(file)),
      way_out_(way_out),
      limit_(limit ? *limit : LimitOf(file_size)),
      outer_(std::exchange(current, this)) {
  if (limit) {
    limit_text_ = "the budget of " + std::to_string(limit_) + " bytes";
    return;
  }
  limit_text_ = "a file of " + std::to_string(file_size) + " bytes is given: " + std::to_string(limit_) + " bytes (" +
                std::to_string(kForEachByte) + " for each of its own and " + std::to_string(kAlways >> 20) +
                " MiB, at least " + std::to_string(kLeast >> 20) + " MiB)";
}

uint64_t MemoryBudget::LimitOf(uint64_t file_size) {
  uint64_t limit = 0;
  if (__builtin_mul_overflow(file_size, kForEachByte, &limit) || __builtin_add_overflow(limit, kAlways, &limit))
    return UINT64_MAX;
  return std::max(limit, kLeast);
}

MemoryBudget::~MemoryBudget() { current = outer_; }

std::optional<uint64_t> BudgetLeft() {
  return current == nullptr ? std::nullopt : std::optional(current->limit() - current->used());
}

void MemoryBudget::Take(uint64_t bytes) {
  Interruption::Check();
  MemoryBudget* budget = current;
  if (budget == nullptr) return;
  if (bytes > budget->limit_ - budget->used_) {
    const std::string what = budget->place_ ? budget->place_() : budget->file_ + ": what it describes";
    throw Error(ErrorKind::kMemoryBudget, what + " needs more memory than " + budget->limit_text_ + budget->way_out_);
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
