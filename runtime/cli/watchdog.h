// Ends the program when a file takes too long.
#ifndef ONNXPORT_RUNTIME_CLI_WATCHDOG_H_
#define ONNXPORT_RUNTIME_CLI_WATCHDOG_H_

namespace onnxport::cli {

// While it lives and was not stopped, the program ends after so many seconds with a message and the exit status of a
// bad input (3). Only for stages that leave nothing behind. One at a time.
class Watchdog {
 public:
  explicit Watchdog(unsigned seconds);  // 0: never
  ~Watchdog() { Stop(); }
  Watchdog(const Watchdog&) = delete;
  void Stop();
};

}  // namespace onnxport::cli

#endif  // ONNXPORT_RUNTIME_CLI_WATCHDOG_H_
