// A progress bar for people who wait.
#ifndef ONNXPORT_RUNTIME_CLI_PROGRESS_H_
#define ONNXPORT_RUNTIME_CLI_PROGRESS_H_

#include <chrono>
#include <cstdint>

namespace onnxport::cli {

// Draws on stderr if that is a terminal and the work has taken over a second. Otherwise it draws nothing.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar() { Clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void Update(int64_t done, int64_t total);
  void Clear();  // removes the bar, before other text is written

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
};

}  // namespace onnxport::cli

#endif  // ONNXPORT_RUNTIME_CLI_PROGRESS_H_
