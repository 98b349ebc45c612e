#include "runtime/sources/torchscript/interpret/nesting.h"

#include <cstddef>

#include "runtime/base/system.h"

namespace onnxport::torchscript {
namespace {

constexpr std::ptrdiff_t kReserve = 256 << 10;  // bytes for code called at the innermost level: lowering, inference

}  // namespace

bool Nesting::StackIsShort() {
  // Each thread has its own stack. To find its end takes two system calls.
  thread_local const char* const end = system::EndOfStack();
  return end != nullptr && static_cast<const char*>(__builtin_frame_address(0)) - end < kReserve;
}

}  // namespace onnxport::torchscript
