#include "runtime/cli/child.h"

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <string>

#include "gtest/gtest.h"

namespace onnxport::cli {
namespace {

struct Outcome {
  int status = -1;
  std::string err;
};

// Returns what the parent sees if the child does `work`.
Outcome OutcomeOf(const std::function<int()>& work, unsigned max_seconds = 60) {
  const std::string file = (std::filesystem::path(testing::TempDir()) / "model").string();
  std::ofstream(file) << "a few bytes";
  testing::internal::CaptureStderr();
  const std::optional<int> status = RunInChild(file, max_seconds);
  if (!status) ::_exit(work());
  return {*status, testing::internal::GetCapturedStderr()};
}

TEST(Child, ItsStatusIsTheStatus) {
  EXPECT_EQ(OutcomeOf([] { return 0; }).status, 0);
  EXPECT_EQ(OutcomeOf([] { return 3; }, 0).status, 3);
}

TEST(Child, ASignalIsAnError) {
  const Outcome outcome = OutcomeOf([] {
    ::signal(SIGFPE, SIG_DFL);
    return ::raise(SIGFPE);
  });
  EXPECT_EQ(outcome.status, 3);
  EXPECT_NE(outcome.err.find("model ended the process that read it, by signal 8"), std::string::npos) << outcome.err;
}

TEST(Child, ItEndsInTime) {
  const auto begin = std::chrono::steady_clock::now();
  const Outcome outcome = OutcomeOf([] { return static_cast<int>(::sleep(600)); }, 1);
  EXPECT_EQ(outcome.status, 3);
  EXPECT_NE(outcome.err.find("longer than --max-seconds"), std::string::npos) << outcome.err;
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

TEST(Child, ItsMemoryHasALimit) {
  const auto take = [](size_t bytes) {
    try {
      // Never touched: the system counts memory when it is allocated.
      const std::unique_ptr<std::byte[]> memory(new std::byte[bytes]);
      return memory == nullptr ? 1 : 0;
    } catch (const std::bad_alloc&) {
      return 5;
    }
  };
  EXPECT_EQ(OutcomeOf([&] { return take(size_t{1} << 30); }).status, 0);
#ifndef __SANITIZE_ADDRESS__  // AddressSanitizer's allocator ends the process
  EXPECT_EQ(OutcomeOf([&] { return take(size_t{3} << 30); }).status, 5);
#endif
}

}  // namespace
}  // namespace onnxport::cli
