// Work in numbered parts, done by two threads.
#ifndef ONNXPORT_RUNTIME_MODEL_SERIALIZER_TWO_THREADS_H_
#define ONNXPORT_RUNTIME_MODEL_SERIALIZER_TWO_THREADS_H_

#include <cstddef>
#include <functional>

namespace onnxport::serializer {

// Called by a part now and then. Throws when the work must end.
using Check = std::function<void()>;

// Calls `work` with each number below `count`, in their order: the next one goes to whoever is free, this thread or
// another one. If there is nothing to share, no second processor, or `any_thread` is false, this thread does all of it.
// Only this thread calls `check`, which may end the work; the other one ends with it. An exception in one part ends all
// of them, and is thrown here, after both have ended.
void ByTwoThreads(size_t count, const Check& check, const std::function<void(size_t part, const Check& check)>& work,
                  bool any_thread = true);

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_TWO_THREADS_H_
