// When work must end before it is done: its caller asks for it, or its time is over.
#ifndef ONNXPORT_RUNTIME_BASE_INTERRUPTION_H_
#define ONNXPORT_RUNTIME_BASE_INTERRUPTION_H_

#include <chrono>
#include <optional>
#include <stop_token>

namespace onnxport {

// This thread's while it lives; as a budget of memory (memory_budget.h) it is reached from everywhere. Threads that
// export at the same time have their own.
class Interruption {
 public:
  using Clock = std::chrono::steady_clock;

  Interruption(std::stop_token stop, std::optional<Clock::time_point> deadline);
  // For a part of this thread's work that may end early. Whatever stops the whole work stops the part, too. The part
  // has at most `most`, and at most half of the time that remains for the whole.
  explicit Interruption(Clock::duration most);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  // Error (kCancelled, kDeadline) when this thread's work must end. Called wherever work is repeated as often as a file
  // or a caller likes: it costs a few nanoseconds.
  static void Check();

 private:
  void Look();

  std::stop_token stop_;
  std::optional<Clock::time_point> deadline_;
  unsigned looks_ = 0;
  Interruption* outer_;
};

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_INTERRUPTION_H_
