#include "runtime/model/serializer/two_threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

#include "runtime/base/error.h"
#include "runtime/base/interruption.h"
#include "runtime/base/memory_budget.h"

namespace onnxport::serializer::two_threads_test {
namespace {

std::string FailureOf(size_t count, const Check& check, const std::function<void(size_t, const Check&)>& work) {
  try {
    ByTwoThreads(count, check, work);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(ByTwoThreads, DoesEachPartOnce) {
  for (const size_t count : {0, 1, 2, 1000}) {
    std::mutex mutex;
    std::multiset<size_t> done;
    ByTwoThreads(
        count, [] {},
        [&](size_t part, const Check& check) {
          check();
          const std::lock_guard lock(mutex);
          done.insert(part);
        });
    EXPECT_EQ(done.size(), count);
    EXPECT_EQ(std::set<size_t>(done.begin(), done.end()).size(), count);
  }
}

// Both are needed here: each part waits until the other one has begun.
TEST(ByTwoThreads, WorksOnTwoPartsAtATime) {
  if (std::thread::hardware_concurrency() == 1) GTEST_SKIP() << "one processor, so one thread";
  std::atomic<int> begun = 0;
  std::mutex mutex;
  std::set<std::thread::id> threads;
  ByTwoThreads(
      2, [] {},
      [&](size_t, const Check& check) {
        for (++begun; begun < 2;) check();
        const std::lock_guard lock(mutex);
        threads.insert(std::this_thread::get_id());
      });
  EXPECT_EQ(threads.size(), 2u);
}

TEST(ByTwoThreads, OnlyTheCallerChecks) {
  const bool alone = std::thread::hardware_concurrency() == 1;
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> elsewhere = 0;
  std::atomic<int> begun = 0;
  ByTwoThreads(
      2, [&] { elsewhere += std::this_thread::get_id() != caller ? 1 : 0; },
      [&](size_t, const Check& check) {
        // So that each thread has a part.
        for (++begun; begun < 2 && !alone;) std::this_thread::yield();
        check();
      });
  EXPECT_EQ(elsewhere, 0);
}

// The other parts would never end by themselves.
TEST(ByTwoThreads, AFailureEndsAllAndIsThrown) {
  for (const size_t bad : {0, 1}) {
    EXPECT_EQ(FailureOf(
                  2, [] {},
                  [bad](size_t part, const Check& check) {
                    if (part == bad) throw std::runtime_error("part");
                    for (;;) check();
                  }),
              "part");
  }
}

TEST(ByTwoThreads, WhatTheCallerChecksEndsTheOtherThread) {
  const bool alone = std::thread::hardware_concurrency() == 1;
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> begun = false;
  const auto work = [&](size_t, const Check& check) {
    if (!alone && std::this_thread::get_id() == caller) {
      // Nothing to do from then on, so it waits.
      while (!begun) std::this_thread::yield();
      return;
    }
    begun = true;
    for (;;) check();
  };
  EXPECT_EQ(FailureOf(2, [] { throw std::runtime_error("cancelled"); }, work), "cancelled");
}

// In either thread: the one that is free first takes the first part.
TEST(ByTwoThreads, WhatIsReadCountsInTheBudget) {
  const MemoryBudget budget("model", 0, 1000);
  for (const size_t greedy : {0, 1}) {
    std::atomic<size_t> begun = 0;
    const auto work = [&](size_t part, const Check&) {
      // Each thread has one of the parts.
      for (++begun; begun < 2 && std::thread::hardware_concurrency() != 1;) std::this_thread::yield();
      if (part == greedy) MemoryBudget::Take(1001);
    };
    try {
      ByTwoThreads(2, [] {}, work);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kMemoryBudget) << error.what();
    }
  }
}

TEST(ByTwoThreads, TheOtherThreadEndsWhereverItLooksForAnInterruption) {
  if (std::thread::hardware_concurrency() == 1) GTEST_SKIP() << "there is no other thread";
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> begun = false;
  const auto work = [&](size_t, const Check&) {
    if (std::this_thread::get_id() == caller) {
      while (!begun) std::this_thread::yield();
      throw std::runtime_error("part");
    }
    begun = true;
    for (;;) Interruption::Check();
  };
  EXPECT_EQ(FailureOf(2, [] {}, work), "part");
}

}  // namespace
}  // namespace onnxport::serializer::two_threads_test
