// A thread asks for its memory budget before it starts another thread for a part of its work.
#ifndef ONNXPORT_RUNTIME_BASE_BUDGET_OF_THREAD_H_
#define ONNXPORT_RUNTIME_BASE_BUDGET_OF_THREAD_H_

#include <cstdint>
#include <optional>

namespace onnxport {

// Returns the bytes that remain in this thread's MemoryBudget; nothing if it has none. The other thread may get a
// MemoryBudget of the same size. Together they then take less than twice the limit.
std::optional<uint64_t> BudgetLeft();

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_BUDGET_OF_THREAD_H_
