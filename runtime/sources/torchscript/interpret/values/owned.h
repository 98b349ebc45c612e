// Owns values that may be nested deeper than the stack can free recursively: a hostile program does `x = [x]` 100,000
// times.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_OWNED_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_OWNED_H_

#include <cstddef>
#include <memory>
#include <utility>

#include "runtime/base/memory_budget.h"

namespace onnxport::torchscript {

// Calls free(object). If this is called inside another `free`, the call is postponed.
void FreeInTurn(const void* object, void (*free)(const void*));

inline constexpr size_t kOwnedOverhead = 64;  // bytes: the count of owners, and the allocator's own

// Like std::make_shared, for objects that hold values. The memory budget counts it.
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
