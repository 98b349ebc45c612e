// Internal to Unpickle: reads the bytes of the pickle from the front.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_PICKLE_BYTES_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_PICKLE_BYTES_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "runtime/base/refusal.h"

namespace onnxport::torchscript {

// Each read throws Refusal if the pickle ends too early.
class PickleBytes {
 public:
  explicit PickleBytes(std::string_view text) : text_(text) {}

  size_t size() const { return text_.size(); }
  size_t at() const { return at_; }

  std::string_view Take(size_t count) {
    if (count > text_.size() - at_) throw Refusal("is cut off");
    const std::string_view taken = text_.substr(at_, count);
    at_ += count;
    return taken;
  }

  // A number of `width` bytes, at most 8.
  uint64_t Little(size_t width) {
    const std::string_view bytes = Take(width);
    uint64_t value = 0;
    for (size_t i = 0; i < width; ++i) value |= uint64_t{static_cast<uint8_t>(bytes[i])} << (8 * i);
    return value;
  }

  std::string_view Line() {
    const size_t end = text_.find('\n', at_);
    if (end == std::string_view::npos) throw Refusal("is cut off");
    const std::string_view line = text_.substr(at_, end - at_);
    at_ = end + 1;
    return line;
  }

  // A length in bytes, and a signed integer of this length.
  int64_t Long() {
    const size_t size = Little(1);
    if (size > 8) throw Refusal("has an integer of more than 64 bits");
    uint64_t value = Little(size);
    if (size > 0 && size < 8 && ((value >> (8 * size - 1)) & 1) != 0) value |= ~uint64_t{0} << (8 * size);
    return static_cast<int64_t>(value);
  }

  // Big-endian.
  double Double() {
    uint64_t value = 0;
    for (const char byte : Take(8)) value = value << 8 | static_cast<uint8_t>(byte);
    return std::bit_cast<double>(value);
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_PICKLE_BYTES_H_
