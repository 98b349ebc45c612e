#include "runtime/base/interruption.h"

#include <algorithm>
#include <utility>

#include "runtime/base/error.h"

namespace onnxport {
namespace {

// Reading the clock takes longer than all the rest.
constexpr unsigned kLooksForEachClock = 16;

// One for each thread: allocators ask for it where memory is counted, and nothing can be passed to them.
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
    looks_ = 0;  // the next look sees it as well
    throw Error(ErrorKind::kDeadline, "the time that the caller gives is over");
  }
}

}  // namespace onnxport
