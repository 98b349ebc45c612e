// Work in numbered parts, done by two threads.
#ifndef ONNXPORT_RUNTIME_MODEL_SERIALIZER_TWO_THREADS_H_
#define ONNXPORT_RUNTIME_MODEL_SERIALIZER_TWO_THREADS_H_

#include <cstddef>
#include <functional>

namespace onnxport::serializer {

// Called by a part now and then. Throws when the work must end.
using Check = std::function<void()>;

// Calls `work` with each number below `count`, in their order: the next one goes to whoever is free, this thread or
// another one. Where there is nothing to share, or no second processor, all is done by this thread.
// `check`, what may end the work, is only called by this thread; the other one ends with it. What a part throws ends
// all of them, and is thrown here, after both have ended. Without `any_thread` this thread does all of it as well.
void ByTwoThreads(size_t count, const Check& check, const std::function<void(size_t part, const Check& check)>& work,
                  bool any_thread = true);

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_TWO_THREADS_H_
