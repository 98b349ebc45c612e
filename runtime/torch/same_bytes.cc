#include "runtime/torch/same_bytes.h"

#include <string>

namespace onnxport::torch_export {
namespace {

std::string BytesOf(const ir::TensorData& data) {
  std::string bytes;
  data.bytes->Stream([&](std::span<const std::byte> piece) {
    bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  });
  return bytes;
}

}  // namespace

bool SameBytes(const ir::TensorData& a, const ir::TensorData& b) {
  return a.dtype == b.dtype && a.shape == b.shape && BytesOf(a) == BytesOf(b);
}

}  // namespace onnxport::torch_export
