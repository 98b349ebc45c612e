#include "runtime/torchscript/interpret/nesting.h"

#include <pthread.h>

#include <cstddef>

namespace onnxport::torchscript {
namespace {

constexpr std::ptrdiff_t kReserve = 256 << 10;  // bytes, for what is called at the end: lowering, inference

// The lowest address of this thread's stack; null where the system does not say.
const char* EndOfStack() {
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return nullptr;
  void* lowest = nullptr;
  size_t size = 0;
  const bool known = ::pthread_attr_getstack(&attributes, &lowest, &size) == 0;
  ::pthread_attr_destroy(&attributes);
  return known ? static_cast<const char*>(lowest) : nullptr;
}

}  // namespace

bool Nesting::StackIsShort() {
  thread_local const char* const end = EndOfStack();
  return end != nullptr && static_cast<const char*>(__builtin_frame_address(0)) - end < kReserve;
}

}  // namespace onnxport::torchscript
