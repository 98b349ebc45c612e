#include "runtime/verify/ort/client.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace onnxport::ort {

bool Client::Start() {
  // O_CLOEXEC on all four ends. A second runner that inherited the writing end of `to` would keep the first from seeing
  // the end of its input, and `Stop` would wait for ever. dup2 leaves the flag out, so the child keeps its two.
  int to[2];
  int from[2];
  if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) return false;
  pid_ = fork();
  if (pid_ == 0) {
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    const char* library = library_.empty() ? nullptr : library_.c_str();
    execl(runner_.c_str(), runner_.c_str(), library, static_cast<char*>(nullptr));
    // Not exit: that would flush buffers that the parent, too, still has. The parent sees the end of the pipe, and says
    // "exit status 127".
    _exit(127);
  }
  close(to[0]);
  close(from[1]);
  to_ = to[1];
  from_ = from[0];
  return pid_ > 0;
}

std::string Client::Stop() {
  if (pid_ <= 0) return "not started";
  // The end of its input is the sign for the process to end; only then can it be waited for.
  close(to_);
  close(from_);
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  if (WIFSIGNALED(status)) return "killed by signal " + std::to_string(WTERMSIG(status));
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

Response Client::Run(const Request& request, int seconds) {
  // A runner that crashed while it was sent a request would else take this program with it. So `write` fails, and what
  // happened is reported below.
  signal(SIGPIPE, SIG_IGN);
  if (pid_ <= 0 && !Start()) return {.error = "cannot start " + runner_, .outputs = {}};
  if (Send(to_, request)) {
    if (!Comes(from_, seconds)) {
      kill(pid_, SIGKILL);
      Stop();
      return {.error = "ONNX Runtime does not come to an end", .outputs = {}};
    }
    // Comes is also true for the end of the stream: of a crash one hears at once, and not after `seconds`.
    if (auto response = ReceiveResponse(from_)) return *response;
  }
  return {.error = "the ONNX Runtime process ended: " + Stop(), .outputs = {}};
}

}  // namespace onnxport::ort
