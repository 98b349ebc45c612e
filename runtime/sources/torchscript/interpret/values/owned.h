// Ownership of values that may be nested deeper than the stack can free: a hostile program makes `x = [x]` 100,000
// times.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_OWNED_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_OWNED_H_

#include <cstddef>
#include <memory>
#include <utility>

#include "runtime/base/memory_budget.h"

namespace onnxport::torchscript {

// Calls free(object), later when the call comes from within another `free`.
void FreeInTurn(const void* object, void (*free)(const void*));

inline constexpr size_t kOwnedOverhead = 64;  // bytes: the count of owners, and the allocator's own

// Like std::make_shared, of what holds values. Counted by the memory budget.
template <typename T, typename... Args>
std::shared_ptr<T> MakeOwned(Args&&... args) {
  MemoryBudget::Take(sizeof(T) + kOwnedOverhead);
  return std::shared_ptr<T>(new T(std::forward<Args>(args)...), [](const T* object) {
    FreeInTurn(object, [](const void* held) {
      MemoryBudget::Give(sizeof(T) + kOwnedOverhead);
      delete static_cast<const T*>(held);
    });
  });
}

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_OWNED_H_
