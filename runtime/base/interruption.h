// Stops work before it is done: because the caller asks for it, or because time is up.
#ifndef ONNXPORT_RUNTIME_BASE_INTERRUPTION_H_
#define ONNXPORT_RUNTIME_BASE_INTERRUPTION_H_

#include <chrono>
#include <optional>
#include <stop_token>

namespace onnxport {

// Belongs to the thread that makes it, for as long as it lives. Any code of the thread reaches it, as it reaches the
// memory budget (memory_budget.h). Threads that export at the same time have their own.
class Interruption {
 public:
  using Clock = std::chrono::steady_clock;

  Interruption(std::stop_token stop, std::optional<Clock::time_point> deadline);
  // Limits a part of this thread's work, which may end early. Whatever stops the whole work stops the part, too. The
  // part gets `most` at most, and at most half of the time that remains for the whole.
  explicit Interruption(Clock::duration most);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  // Throws Error (kCancelled, kDeadline) if this thread's work must end. Call it in every loop whose length a file or a
  // caller decides: it costs a few nanoseconds.
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
