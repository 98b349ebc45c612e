#include "runtime/base/interruption.h"

#include <algorithm>
#include <utility>

#include "runtime/base/error.h"

namespace onnxport {
namespace {

// Reading the clock takes longer than everything else in a check.
constexpr unsigned kLooksForEachClock = 16;

// One per thread: allocators read it where they count memory, and no argument can reach them.
thread_local Interruption* current = nullptr;

}  // namespace

Interruption::Interruption(std::stop_token stop, std::optional<Clock::time_point> deadline)
    : stop_(std::move(stop)), deadline_(deadline), outer_(std::exchange(current, this)) {}

Interruption::Interruption(Clock::duration most)
    : stop_(current == nullptr ? std::stop_token() : current->stop_), outer_(current) {
  const Clock::time_point now = Clock::now();
  if (outer_ != nullptr && outer_->deadline_) most = std::min(most, (*outer_->deadline_ - now) / 2);
  deadline_ = now + most;
  current = this;
}

Interruption::~Interruption() { current = outer_; }

void Interruption::Check() {
  if (current != nullptr) current->Look();
}

void Interruption::Look() {
  if (stop_.stop_requested()) throw Error(ErrorKind::kCancelled, "cancelled by the caller");
  if (!deadline_ || looks_++ % kLooksForEachClock != 0) return;
  if (Clock::now() >= *deadline_) {
    looks_ = 0;  // so that the next check reads the clock again
    throw Error(ErrorKind::kDeadline, "the time that the caller gives is over");
  }
}

}  // namespace onnxport
