// A tensor whose elements are consecutive in a file.
#ifndef ONNXPORT_RUNTIME_ARCHIVE_RANGE_BYTES_H_
#define ONNXPORT_RUNTIME_ARCHIVE_RANGE_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "runtime/archive/byte_source.h"
#include "runtime/ir/graph.h"

namespace onnxport::archive {

// The caller must have checked that [begin, end) lies inside the file.
class RangeBytes : public ir::TensorBytes {
 public:
  RangeBytes(std::shared_ptr<const ByteSource> file, uint64_t begin, uint64_t end);
  void Stream(const std::function<void(std::span<const std::byte>)>& sink) const override;
  void StreamRange(int64_t begin, int64_t size,
                   const std::function<void(std::span<const std::byte>)>& sink) const override;
  bool has_ranges() const override { return true; }

 private:
  std::shared_ptr<const ByteSource> file_;
  uint64_t begin_;
  uint64_t end_;
};

}  // namespace onnxport::archive

#endif  // ONNXPORT_RUNTIME_ARCHIVE_RANGE_BYTES_H_
