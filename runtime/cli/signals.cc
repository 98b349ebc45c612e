#include "runtime/cli/signals.h"

#include <pthread.h>

namespace onnxport::cli {
namespace {

// Ends the wait of the thread; only this code sends it.
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
  // Blocked before other threads start, because they inherit the mask. So only `sigwait` gets the signals, and no code
  // runs in a signal handler, which may do almost nothing.
  pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  waiting_ = std::thread([this] { Wait(); });
}

void Signals::Wait() {
  while (true) {
    int signal = 0;
    if (sigwait(&signals_, &signal) != 0 || over_) return;
    if (signal == WakeUp()) continue;
    // This is the second signal: a user who presses Ctrl-C again does not want to wait for the clean-up.
    if (received_.exchange(signal) != 0) EndBy(signal);
    stop_.request_stop();
  }
}

Signals::~Signals() {
  // Set before the wake-up, because the thread reads it as soon as it wakes.
  over_ = true;
  pthread_kill(waiting_.native_handle(), WakeUp());
  waiting_.join();
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  // The program ends by the signal, not with an exit status. So a shell sees the interrupt and stops its loop, too.
  if (received_ != 0) EndBy(received_);
}

}  // namespace onnxport::cli
