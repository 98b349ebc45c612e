// A part of this thread's memory budget, for another thread that works for it.
#ifndef ONNXPORT_RUNTIME_BASE_BUDGET_OF_THREAD_H_
#define ONNXPORT_RUNTIME_BASE_BUDGET_OF_THREAD_H_

#include <cstdint>
#include <optional>

namespace onnxport {

// The bytes that remain in this thread's MemoryBudget; nothing if it has none. Another thread may have a MemoryBudget
// of as much: together they then take less than twice the limit.
std::optional<uint64_t> BudgetLeft();

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_BUDGET_OF_THREAD_H_
