// Packs integers of few bits into bytes.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_INTEGER_PACKER_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_INTEGER_PACKER_H_

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/model/passes/weights/element_blocks.h"

namespace onnxport::passes {

// Packs elements of 2, 4 or 8 bits into bytes, the first one into the lowest bits.
class IntegerPacker {
 public:
  IntegerPacker(int bits, const ir::ByteSink& sink) : sink_(sink), bits_(bits) { bytes_.reserve(kBlockElements); }

  void Add(int32_t element) {
    const auto low = static_cast<uint32_t>(element) & ((1U << bits_) - 1);
    byte_ |= static_cast<uint8_t>(low << filled_);
    filled_ += bits_;
    if (filled_ < 8) return;
    bytes_.push_back(byte_);
    byte_ = 0;
    filled_ = 0;
    if (bytes_.size() == kBlockElements) Flush();
  }
  // Call it after the last element.
  void Finish() {
    if (filled_ > 0) bytes_.push_back(byte_);
    Flush();
  }

 private:
  void Flush() {
    if (!bytes_.empty()) sink_(std::as_bytes(std::span(bytes_)));
    bytes_.clear();
  }

  const ir::ByteSink& sink_;
  std::vector<uint8_t> bytes_;
  int bits_;
  int filled_ = 0;  // bits used in `byte_`
  uint8_t byte_ = 0;
};

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_INTEGER_PACKER_H_
