#include "runtime/cli/signals.h"

#include <pthread.h>

namespace onnxport::cli {
namespace {

// Ends the wait; nobody else sends it.
int WakeUp() { return SIGRTMIN; }

void EndBy(int signal) {
  ::signal(signal, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  ::raise(signal);
}

}  // namespace

Signals::Signals() {
  sigemptyset(&signals_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action = {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_IGN) sigaddset(&signals_, signal);
  }
  sigaddset(&signals_, WakeUp());
  // Blocked in this thread before the others are made, which inherit the mask: so only `sigwait` gets them, and no code
  // runs in a handler, where nearly nothing is allowed.
  pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  waiting_ = std::thread([this] { Wait(); });
}

void Signals::Wait() {
  while (true) {
    int signal = 0;
    if (sigwait(&signals_, &signal) != 0 || over_) return;
    if (signal == WakeUp()) continue;
    // The second one: whoever presses Ctrl-C again does not want to wait for the clean-up.
    if (received_.exchange(signal) != 0) EndBy(signal);
    stop_.request_stop();
  }
}

Signals::~Signals() {
  // Before the wake-up: the thread looks at it as soon as it is awake.
  over_ = true;
  pthread_kill(waiting_.native_handle(), WakeUp());
  waiting_.join();
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  // By the signal, not by an exit status: so a shell sees that its loop was interrupted, and stops it, too.
  if (received_ != 0) EndBy(received_);
}

}  // namespace onnxport::cli
