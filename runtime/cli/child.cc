#include "runtime/cli/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "onnxport/diagnostic.h"
#include "runtime/cli/messages.h"

namespace onnxport::cli {
namespace {

// More than the library allows itself (SECURITY.md): the library's own error says which part needs too much memory, and
// the system's does not.
constexpr uint64_t kMemory = uint64_t{2} << 30;
constexpr uint64_t kMemoryOfByte = 32;
// At the time limit the child itself says which file was too slow. It gets this much longer to do so.
constexpr auto kGrace = std::chrono::seconds(2);

// The memory of this process so far. It may be large: sanitizers keep tables.
uint64_t MemoryInUse() {
  std::ifstream file("/proc/self/statm");
  uint64_t pages = 0;
  for (int column = 0; column < 6; ++column) file >> pages;  // the sixth: data and stack
  return file ? pages * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

void LimitMemory(const std::string& file) {
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(file, unknown);
  uint64_t bytes = 0;
  if (unknown || __builtin_mul_overflow(size, kMemoryOfByte, &bytes)) return;
  const uint64_t limit = MemoryInUse() + kMemory + bytes;
  rlimit data = {};
  if (limit < bytes || ::getrlimit(RLIMIT_DATA, &data) != 0 || data.rlim_cur <= limit) return;
  data.rlim_cur = limit;
  ::setrlimit(RLIMIT_DATA, &data);
}

// For `poll`: -1 is no limit.
int MillisecondsUntil(std::chrono::steady_clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
  return static_cast<int>(std::clamp<int64_t>(left, 0, INT32_MAX));
}

// Returns true if the other end was closed in time.
bool IsClosed(int end, unsigned max_seconds) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(max_seconds) + kGrace;
  while (true) {
    const int wait = max_seconds == 0 ? -1 : MillisecondsUntil(deadline);
    pollfd closed = {.fd = end, .events = POLLIN, .revents = 0};
    const int found = ::poll(&closed, 1, wait);
    if (found > 0 || (found < 0 && errno != EINTR)) return true;
    if (wait == 0) return false;
  }
}

int StatusOfChild(const std::string& file, int status) {
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  const int signal = WTERMSIG(status);
  // A user sent this signal, or the reader of a pipe has ended. This process ends in the same way as the child.
  for (const int sent : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    if (signal != sent) continue;
    ::signal(sent, SIG_DFL);
    ::raise(sent);
  }
  return Fail(Report(ErrorKind::kBadInput, file + " ended the process that read it, by signal " +
                                               std::to_string(signal) + ": it is damaged, or made to do so"));
}

}  // namespace

std::optional<int> RunInChild(const std::string& file, unsigned max_seconds) {
  // Nobody writes to the pipe. The child's end is closed when the child ends.
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child <= 0) {
    ::close(ends[0]);
    if (child < 0) ::close(ends[1]);
  }
  // Without a second process, only the library's own limits apply.
  if (child < 0) return std::nullopt;
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);  // the parent ended before prctl
    LimitMemory(file);
    return std::nullopt;
  }
  ::close(ends[1]);
  const bool in_time = IsClosed(ends[0], max_seconds);
  if (!in_time) ::kill(child, SIGKILL);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return in_time ? StatusOfChild(file, status) : Fail(Report(ErrorKind::kDeadline, ""));
}

}  // namespace onnxport::cli
