#include "runtime/cli/signals.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <thread>

namespace onnxport::cli {
namespace {

// Returns the signal that ended a process which ran this; 0: it ended by itself.
int EndingOf(const std::function<void()>& run) {
  const pid_t child = ::fork();
  if (child == 0) {
    run();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

void WaitFor(const std::stop_token& token) {
  while (!token.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST(Signals, AskForAStopAndEndTheProgramAfterIt) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EQ(EndingOf([signal] {
                const Signals signals;
                ::kill(::getpid(), signal);
                WaitFor(signals.token());  // the next statements run: the program did not end at once
              }),
              signal);
  }
}

TEST(Signals, ASecondOneEndsTheProgramAtOnce) {
  EXPECT_EQ(EndingOf([] {
              const Signals signals;
              ::kill(::getpid(), SIGINT);
              WaitFor(signals.token());
              ::kill(::getpid(), SIGTERM);
              std::this_thread::sleep_for(std::chrono::minutes(10));
            }),
            SIGTERM);
}

TEST(Signals, WhatIsIgnoredStaysIgnored) {
  EXPECT_EQ(EndingOf([] {
              ::signal(SIGHUP, SIG_IGN);
              const Signals signals;
              ::kill(::getpid(), SIGHUP);
              std::this_thread::sleep_for(std::chrono::milliseconds(20));
              if (signals.token().stop_requested()) ::raise(SIGABRT);
            }),
            0);
}

TEST(Signals, AreAsBeforeAfterwards) {
  EXPECT_EQ(EndingOf([] {
              {
                const Signals signals;
              }
              ::raise(SIGTERM);
            }),
            SIGTERM);
  EXPECT_EQ(EndingOf([] { const Signals signals; }), 0);
}

}  // namespace
}  // namespace onnxport::cli
