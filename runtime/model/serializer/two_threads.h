// Does work in numbered parts with two threads.
#ifndef ONNXPORT_RUNTIME_MODEL_SERIALIZER_TWO_THREADS_H_
#define ONNXPORT_RUNTIME_MODEL_SERIALIZER_TWO_THREADS_H_

#include <cstddef>
#include <functional>

namespace onnxport::serializer {

// A part calls it now and then. It throws to end the work.
using Check = std::function<void()>;

// Calls `work` with each number below `count`, in order. The next number goes to the thread that is free: this one or
// another one. This thread does all of it if there is nothing to share, no second processor, or `any_thread` is false.
// Only this thread calls `check`. If `check` or a part throws, the work of both threads ends, and the exception is
// thrown here.
void ByTwoThreads(size_t count, const Check& check, const std::function<void(size_t part, const Check& check)>& work,
                  bool any_thread = true);

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_TWO_THREADS_H_
