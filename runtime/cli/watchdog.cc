#include "runtime/cli/watchdog.h"

#include <signal.h>
#include <unistd.h>

#include <string_view>

#include "runtime/base/error.h"

namespace onnxport::cli {
namespace {

// Only what a signal handler may do.
void OnAlarm(int) {
  constexpr std::string_view kText = "exporter: error: the file took longer than --max-seconds to convert\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kText.data(), kText.size());
  ::_exit(static_cast<int>(ErrorKind::kBadInput));
}

}  // namespace

Watchdog::Watchdog(unsigned seconds) {
  ::signal(SIGALRM, OnAlarm);
  ::alarm(seconds);
}

void Watchdog::Stop() { ::alarm(0); }

}  // namespace onnxport::cli
