#include "runtime/torch/module_bytes.h"

#include <torch/csrc/jit/serialization/export.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/sources/torch/arguments.h"

namespace onnxport::torch_export {
namespace {

// A sequence of pieces. Each is in the memory of a tensor or in a buffer here.
class Pieces : public archive::ByteSource {
 public:
  explicit Pieces(std::vector<at::Tensor> tensors) : ByteSource("the module"), tensors_(std::move(tensors)) {}

  void Append(const void* data, size_t size) {
    if (size == 0) return;
    const auto* bytes = static_cast<const std::byte*>(data);
    // LibTorch's writer passes a weight as the tensor's own memory. It passes everything else as temporary buffers.
    if (!IsOfTensor(bytes, size)) {
      // Small pieces, of which an archive has many, share a buffer.
      if (pieces_.empty() || pieces_.back().memory != nullptr) pieces_.push_back({.begin = size_});
      pieces_.back().own.append(static_cast<const char*>(data), size);
    } else {
      pieces_.push_back({.begin = size_, .memory = bytes});
    }
    size_ += size;
  }

  void ReadAt(uint64_t offset, std::span<std::byte> out) const override {
    // Finds the last piece that begins at or before the offset.
    auto piece = std::ranges::upper_bound(pieces_, offset, {}, &Piece::begin) - 1;
    while (!out.empty()) {
      const uint64_t end = piece + 1 == pieces_.end() ? size_ : (piece + 1)->begin;
      const uint64_t count = std::min<uint64_t>(out.size(), end - offset);
      const auto* from =
          piece->memory != nullptr ? piece->memory : reinterpret_cast<const std::byte*>(piece->own.data());
      std::memcpy(out.data(), from + (offset - piece->begin), count);
      out = out.subspan(count);
      offset += count;
      ++piece;
    }
  }

 private:
  struct Piece {
    uint64_t begin = 0;
    const std::byte* memory = nullptr;  // null: `own`
    std::string own = {};
  };

  // Compares addresses, as the writer does not say whose memory it is.
  bool IsOfTensor(const std::byte* bytes, size_t size) const {
    return std::ranges::any_of(tensors_, [&](const at::Tensor& tensor) {
      const auto* begin = static_cast<const std::byte*>(tensor.storage().data());
      return bytes >= begin && bytes + size <= begin + tensor.storage().nbytes();
    });
  }

  std::vector<at::Tensor> tensors_;
  std::deque<Piece> pieces_;
};

// Returns parameters, buffers and other attributes.
std::vector<at::Tensor> TensorsOf(const torch::jit::Module& module) {
  std::vector<at::Tensor> tensors;
  for (const torch::jit::Module& part : module.modules()) {
    for (const c10::IValue& attribute : part._ivalue()->slots()) {
      VisitTensors(attribute, [&](const at::Tensor& tensor) {
        if (tensor.has_storage() && tensor.device().is_cpu()) tensors.push_back(tensor);
      });
    }
  }
  return tensors;
}

}  // namespace

std::shared_ptr<const archive::ByteSource> ArchiveOf(const torch::jit::Module& module) {
  auto pieces = std::make_shared<Pieces>(TensorsOf(module));
  torch::jit::ExportModule(module, [&](const void* data, size_t size) {
    pieces->Append(data, size);
    return size;
  });
  return pieces;
}

}  // namespace onnxport::torch_export
