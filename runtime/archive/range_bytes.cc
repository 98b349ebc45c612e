#include "runtime/archive/range_bytes.h"

#include <utility>

#include "runtime/archive/blocks.h"

namespace onnxport::archive {

RangeBytes::RangeBytes(std::shared_ptr<const ByteSource> file, uint64_t begin, uint64_t end)
    : file_(std::move(file)), begin_(begin), end_(end) {}

void RangeBytes::Stream(const std::function<void(std::span<const std::byte>)>& sink) const {
  StreamRange(0, static_cast<int64_t>(end_ - begin_), sink);
}

void RangeBytes::StreamRange(int64_t begin, int64_t size,
                             const std::function<void(std::span<const std::byte>)>& sink) const {
  const uint64_t end = begin_ + static_cast<uint64_t>(begin + size);
  ForEachBlock(*file_, begin_ + static_cast<uint64_t>(begin), end, sink);
  file_->CheckUnchanged();
}

}  // namespace onnxport::archive
