#include "runtime/ort/client.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace onnxport::ort {

bool Client::Start() {
  int to[2];
  int from[2];
  if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) return false;
  pid_ = fork();
  if (pid_ == 0) {
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    const char* library = library_.empty() ? nullptr : library_.c_str();
    execl(runner_.c_str(), runner_.c_str(), library, static_cast<char*>(nullptr));
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
  close(to_);
  close(from_);
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  if (WIFSIGNALED(status)) return "killed by signal " + std::to_string(WTERMSIG(status));
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

Response Client::Run(const Request& request, int seconds) {
  signal(SIGPIPE, SIG_IGN);
  if (pid_ <= 0 && !Start()) return {.error = "cannot start " + runner_, .outputs = {}};
  if (Send(to_, request)) {
    if (!Comes(from_, seconds)) {
      kill(pid_, SIGKILL);
      Stop();
      return {.error = "ONNX Runtime does not come to an end", .outputs = {}};
    }
    if (auto response = ReceiveResponse(from_)) return *response;
  }
  return {.error = "the ONNX Runtime process ended: " + Stop(), .outputs = {}};
}

}  // namespace onnxport::ort
