#include "runtime/archive/range_bytes.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace onnxport::archive {
namespace {

constexpr uint64_t kBlock = uint64_t{256} << 10;

}  // namespace

RangeBytes::RangeBytes(std::shared_ptr<const ByteSource> file, uint64_t begin, uint64_t end)
    : file_(std::move(file)), begin_(begin), end_(end) {}

void RangeBytes::Stream(const std::function<void(std::span<const std::byte>)>& sink) const {
  std::vector<std::byte> block(std::min(kBlock, end_ - begin_));
  for (uint64_t at = begin_; at < end_;) {
    const std::span<std::byte> piece(block.data(), std::min(kBlock, end_ - at));
    file_->ReadAt(at, piece);
    sink(piece);
    at += piece.size();
  }
  file_->CheckUnchanged();
}

}  // namespace onnxport::archive
