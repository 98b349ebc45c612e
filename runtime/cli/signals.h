// Signals that end a program.
#ifndef ONNXPORT_RUNTIME_CLI_SIGNALS_H_
#define ONNXPORT_RUNTIME_CLI_SIGNALS_H_

#include <signal.h>

#include <atomic>
#include <stop_token>
#include <thread>

namespace onnxport::cli {

// While it lives, the first SIGINT, SIGTERM or SIGHUP requests a stop, so that files written in part are removed. A
// second signal ends the program at once. Ignored signals (nohup) stay ignored. Make it before other threads start, and
// only one at a time.
class Signals {
 public:
  Signals();
  // Ends the program by the signal that came, if one did.
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  std::stop_token token() const { return stop_.get_token(); }

 private:
  void Wait();

  sigset_t signals_;
  sigset_t before_;
  std::stop_source stop_;
  // The number of the first signal that came; 0: none.
  std::atomic<int> received_ = 0;
  std::atomic<bool> over_ = false;
  std::thread waiting_;
};

}  // namespace onnxport::cli

#endif  // ONNXPORT_RUNTIME_CLI_SIGNALS_H_
