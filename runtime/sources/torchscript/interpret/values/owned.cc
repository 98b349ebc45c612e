#include "runtime/sources/torchscript/interpret/values/owned.h"

#include <utility>
#include <vector>

namespace onnxport::torchscript {

void FreeInTurn(const void* object, void (*free)(const void*)) {
  using Waiting = std::vector<std::pair<const void*, void (*)(const void*)>>;
  // Set while something is freed. It is per thread, because destructors, which call this, have no arguments.
  thread_local Waiting* waiting = nullptr;
  if (waiting) {
    waiting->emplace_back(object, free);
    return;
  }
  Waiting mine = {{object, free}};
  waiting = &mine;
  while (!mine.empty()) {
    const auto [next, free_next] = mine.back();
    mine.pop_back();
    free_next(next);
  }
  waiting = nullptr;
}

}  // namespace onnxport::torchscript
