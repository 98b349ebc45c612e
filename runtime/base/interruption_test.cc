#include "runtime/base/interruption.h"

#include <gtest/gtest.h>

#include <functional>
#include <thread>

#include "runtime/base/error.h"

namespace onnxport {
namespace {

using Clock = Interruption::Clock;

// Checks many times. Returns the kind of the error that a check throws, or nothing.
std::optional<ErrorKind> Ending(const std::function<void()>& check) {
  try {
    for (int i = 0; i < 100; ++i) check();
  } catch (const Error& error) {
    return error.kind();
  }
  return std::nullopt;
}

TEST(Interruption, EndsWork) {
  std::stop_source asked;
  asked.request_stop();
  const struct {
    std::stop_token stop;
    std::optional<Clock::time_point> deadline;
    std::optional<ErrorKind> ending;
  } kCases[] = {
      {{}, {}, {}},
      {std::stop_source().get_token(), {}, {}},
      {asked.get_token(), {}, ErrorKind::kCancelled},
      {{}, Clock::now() + std::chrono::hours(1), {}},
      {{}, Clock::now() - std::chrono::hours(1), ErrorKind::kDeadline},
      {{}, Clock::time_point::min(), ErrorKind::kDeadline},
      {asked.get_token(), Clock::now() - std::chrono::hours(1), ErrorKind::kCancelled},
  };
  for (const auto& test : kCases) {
    const Interruption interruption(test.stop, test.deadline);
    EXPECT_EQ(Ending(Interruption::Check), test.ending);
    EXPECT_EQ(Ending(Interruption::Check), test.ending) << "it stays";
  }
  EXPECT_EQ(Ending(Interruption::Check), std::nullopt);
}

TEST(Interruption, APartHasLessTime) {
  using std::chrono::milliseconds;
  std::stop_source source;
  const Interruption whole(source.get_token(), Clock::now() + std::chrono::hours(1));
  {
    const Interruption part{milliseconds(10)};
    EXPECT_EQ(Ending(Interruption::Check), std::nullopt);
    std::this_thread::sleep_for(milliseconds(20));
    EXPECT_EQ(Ending([] {
                for (int i = 0; i < 16; ++i) Interruption::Check();
              }),
              ErrorKind::kDeadline);
  }
  EXPECT_EQ(Ending(Interruption::Check), std::nullopt) << "the rest goes on";
  const Interruption short_one({}, Clock::now() + milliseconds(200));
  {
    const Interruption part{std::chrono::hours(1)};
    std::this_thread::sleep_for(milliseconds(110));
    EXPECT_EQ(Ending(Interruption::Check), ErrorKind::kDeadline) << "half of what is left";
  }
  EXPECT_EQ(Ending(Interruption::Check), std::nullopt);
  const Interruption stopped(source.get_token(), std::nullopt);
  const Interruption part{std::chrono::hours(1)};
  source.request_stop();
  EXPECT_EQ(Ending(Interruption::Check), ErrorKind::kCancelled);
}

TEST(Interruption, SeesWhatHappensMeanwhile) {
  std::stop_source source;
  const Interruption interruption(source.get_token(), Clock::now() + std::chrono::milliseconds(20));
  EXPECT_EQ(Ending(Interruption::Check), std::nullopt);
  std::this_thread::sleep_for(std::chrono::milliseconds(25));
  EXPECT_EQ(Ending(Interruption::Check), ErrorKind::kDeadline);
  source.request_stop();
  EXPECT_EQ(Ending(Interruption::Check), ErrorKind::kCancelled);
}

TEST(Interruption, IsItsThreadsAndTheInnermostCounts) {
  std::stop_source source;
  source.request_stop();
  const Interruption outer(source.get_token(), {});
  std::optional<ErrorKind> elsewhere = ErrorKind::kUsage;
  std::thread([&] { elsewhere = Ending(Interruption::Check); }).join();
  EXPECT_EQ(elsewhere, std::nullopt);
  {
    const Interruption inner({}, {});
    EXPECT_EQ(Ending(Interruption::Check), std::nullopt);
  }
  EXPECT_EQ(Ending(Interruption::Check), ErrorKind::kCancelled);
}

}  // namespace
}  // namespace onnxport
