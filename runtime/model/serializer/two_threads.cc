#include "runtime/model/serializer/two_threads.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <stop_token>
#include <system_error>
#include <thread>

#include "runtime/base/budget_of_thread.h"
#include "runtime/base/interruption.h"
#include "runtime/base/memory_budget.h"

namespace onnxport::serializer {
namespace {

// How often this thread looks whether the work must end, while it waits for the other.
constexpr std::chrono::milliseconds kBetweenChecks(20);

// Thrown where one thread ends because the other one has failed: says nothing itself.
struct Stopped {};

class TwoWorkers {
 public:
  TwoWorkers(size_t count, const std::function<void(size_t, const Check&)>& work) : count_(count), work_(work) {}

  void Run(const Check& check) {
    std::thread other;
    try {
      other = std::thread([this] {
        {
          // As the caller: what it reads is counted, and it ends with the caller wherever it is.
          std::optional<MemoryBudget> budget;
          if (budget_) budget.emplace("the model", 0, budget_);
          const Interruption interruption(stop_.get_token(), {});
          Work([] {});
        }
        const std::lock_guard lock(mutex_);
        other_ended_ = true;
        ended_.notify_all();
      });
    } catch (const std::system_error&) {
      // No more threads for this process: one does all of it.
    }
    Work(check);
    if (other.joinable()) {
      Await(check);
      other.join();
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  // Parts, until none is left or somebody has failed.
  void Work(const Check& check) {
    const auto look = [&] {
      if (stopped_) throw Stopped();
      check();
    };
    try {
      for (size_t part = next_++; part < count_ && !stopped_; part = next_++) work_(part, look);
    } catch (const Stopped&) {
    } catch (...) {
      Fail();
    }
  }

  void Await(const Check& check) {
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, kBetweenChecks, [this] { return other_ended_; })) {
      lock.unlock();
      try {
        if (!stopped_) check();
      } catch (...) {
        Fail();
      }
      lock.lock();
    }
  }

  // Keeps the exception that is being handled; the first one counts.
  void Fail() {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
    stopped_ = true;
    stop_.request_stop();
  }

  const size_t count_;
  const std::function<void(size_t, const Check&)>& work_;
  std::atomic<size_t> next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::stop_source stop_;
  const std::optional<uint64_t> budget_ = BudgetLeft();
  std::mutex mutex_;  // of what follows
  std::condition_variable ended_;
  bool other_ended_ = false;
  std::exception_ptr failure_;
};

}  // namespace

void ByTwoThreads(size_t count, const Check& check, const std::function<void(size_t, const Check&)>& work,
                  bool any_thread) {
  if (any_thread && count > 1 && std::thread::hardware_concurrency() != 1) return TwoWorkers(count, work).Run(check);
  for (size_t part = 0; part < count; ++part) work(part, check);
}

}  // namespace onnxport::serializer
