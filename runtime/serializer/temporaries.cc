#include "runtime/serializer/temporaries.h"

#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

namespace onnxport::serializer {
namespace {

enum State : int { kFree, kChanging, kTaken };
struct Slot {
  std::atomic<int> state = kFree;
  char path[PATH_MAX] = {};
};
Slot slots[64];  // static: a handler must not allocate, nor see what is half written

}  // namespace

void RememberTemporary(const std::string& path) {
  if (path.size() >= PATH_MAX) return;
  for (Slot& slot : slots) {
    int expected = kFree;
    if (!slot.state.compare_exchange_strong(expected, kChanging)) continue;
    *std::copy(path.begin(), path.end(), slot.path) = '\0';
    slot.state = kTaken;
    return;
  }
}

void ForgetTemporary(const std::string& path) {
  for (Slot& slot : slots) {
    if (slot.state == kTaken && path == slot.path) slot.state = kFree;
  }
}

void RemoveTemporaries() {
  for (Slot& slot : slots) {
    if (slot.state == kTaken) (void)::unlink(slot.path);
  }
}

}  // namespace onnxport::serializer
