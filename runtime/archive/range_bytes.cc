#include "runtime/archive/range_bytes.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace onnxport::archive {
namespace {

constexpr uint64_t kRangeBlock = uint64_t{256} << 10;

}  // namespace

RangeBytes::RangeBytes(std::shared_ptr<const ByteSource> file, uint64_t begin, uint64_t end)
    : file_(std::move(file)), begin_(begin), end_(end) {}

void RangeBytes::Stream(const std::function<void(std::span<const std::byte>)>& sink) const {
  StreamRange(0, static_cast<int64_t>(end_ - begin_), sink);
}

void RangeBytes::StreamRange(int64_t begin, int64_t size,
                             const std::function<void(std::span<const std::byte>)>& sink) const {
  const uint64_t end = begin_ + static_cast<uint64_t>(begin + size);
  std::vector<std::byte> block(std::min(kRangeBlock, static_cast<uint64_t>(size)));
  for (uint64_t at = begin_ + static_cast<uint64_t>(begin); at < end;) {
    const std::span<std::byte> piece(block.data(), std::min(kRangeBlock, end - at));
    file_->ReadAt(at, piece);
    sink(piece);
    at += piece.size();
  }
  file_->CheckUnchanged();
}

}  // namespace onnxport::archive
