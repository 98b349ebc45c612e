// Ownership of values that may be nested deeper than the stack can free: a hostile program makes `x = [x]` 100,000
// times.
#ifndef ONNXPORT_RUNTIME_TORCHSCRIPT_INTERPRET_OWNED_H_
#define ONNXPORT_RUNTIME_TORCHSCRIPT_INTERPRET_OWNED_H_

#include <memory>
#include <utility>

namespace onnxport::torchscript {

// Calls free(object), later when the call comes from within another `free`.
void FreeInTurn(const void* object, void (*free)(const void*));

// Like std::make_shared, of what holds values.
template <typename T, typename... Args>
std::shared_ptr<T> MakeOwned(Args&&... args) {
  return std::shared_ptr<T>(new T(std::forward<Args>(args)...), [](const T* object) {
    FreeInTurn(object, [](const void* held) { delete static_cast<const T*>(held); });
  });
}

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_TORCHSCRIPT_INTERPRET_OWNED_H_
