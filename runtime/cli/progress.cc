#include "runtime/cli/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace onnxport::cli {
namespace {

constexpr int kWidth = 40;

void Draw(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace

ProgressBar::ProgressBar() : terminal_(::isatty(STDERR_FILENO) != 0), next_(start_ + std::chrono::seconds(1)) {}

void ProgressBar::Update(int64_t done, int64_t total) {
  // Called for each block that is written, but draws ten times a second at most.
  if (!terminal_ || Clock::now() < next_) return;
  next_ = Clock::now() + std::chrono::milliseconds(100);
  const double share = total > 0 ? std::clamp(static_cast<double>(done) / static_cast<double>(total), 0.0, 1.0) : 1.0;
  const int filled = static_cast<int>(share * kWidth);
  Draw(fmt::format("\r[{}{}] {:3.0f}% of {:.0f} MB", std::string(filled, '#'), std::string(kWidth - filled, ' '),
                   share * 100, static_cast<double>(total) / 1e6));
  drawn_ = true;
}

void ProgressBar::Clear() {
  if (drawn_) Draw("\r\033[K");
  drawn_ = false;
}

}  // namespace onnxport::cli
