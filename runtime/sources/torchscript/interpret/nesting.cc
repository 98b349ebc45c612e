#include "runtime/sources/torchscript/interpret/nesting.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>

namespace onnxport::torchscript {
namespace {

constexpr std::ptrdiff_t kReserve = 256 << 10;  // bytes, for what is called at the end: lowering, inference

// The lowest address that this thread's stack may reach; null where there is none, or the system does not say.
const char* EndOfStack() {
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return nullptr;
  void* lowest = nullptr;
  size_t size = 0;
  const bool known = ::pthread_attr_getstack(&attributes, &lowest, &size) == 0;
  ::pthread_attr_destroy(&attributes);
  if (!known) return nullptr;
  const char* top = static_cast<const char*>(lowest) + size;
  // (`gettid` is a function of glibc 2.30 and newer.)
  if (::syscall(SYS_gettid) != ::getpid()) return top - size;
  // The first thread's stack grows up to a limit. musl says only what is in use.
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return nullptr;
  return top - std::max<size_t>(size, limit.rlim_cur);
}

}  // namespace

bool Nesting::StackIsShort() {
  // Each thread has a stack of its own; to ask for its end takes two system calls.
  thread_local const char* const end = EndOfStack();
  return end != nullptr && static_cast<const char*>(__builtin_frame_address(0)) - end < kReserve;
}

}  // namespace onnxport::torchscript
