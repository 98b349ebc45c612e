#include "runtime/passes/scaled_tensor.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <utility>

namespace onnxport::passes {
namespace {

using ir::DType;
using Sink = std::function<void(std::span<const std::byte>)>;

constexpr size_t kBlock = 4096;  // elements that are computed together

// Calls `visit` with spans of elements, which come in pieces of any number of bytes.
template <typename T, typename Visit>
void ForEachBlock(const ir::TensorBytes& bytes, const Visit& visit) {
  std::vector<T> block(kBlock);
  const std::span<std::byte> buffer = std::as_writable_bytes(std::span(block));
  size_t filled = 0;
  bytes.Stream([&](std::span<const std::byte> piece) {
    while (!piece.empty()) {
      const size_t take = std::min(buffer.size() - filled, piece.size());
      std::memcpy(buffer.data() + filled, piece.data(), take);
      piece = piece.subspan(take);
      filled += take;
      if (filled < buffer.size()) return;
      visit(std::span(block));
      filled = 0;
    }
  });
  if (filled > 0) visit(std::span(block).first(filled / sizeof(T)));
}

class ScaledBytes : public ir::TensorBytes {
 public:
  ScaledBytes(std::shared_ptr<const ir::TensorData> source, std::vector<double> factors)
      : source_(std::move(source)), factors_(std::move(factors)) {
    for (size_t axis = 1; axis < source_->shape.size(); ++axis) inner_ *= static_cast<size_t>(source_->shape[axis]);
  }

  void Stream(const Sink& sink) const override {
    if (source_->dtype == DType::kFloat64) return Scale<double>(sink);
    Scale<float>(sink);
  }

 private:
  template <typename T>
  void Scale(const Sink& sink) const {
    size_t row = 0;
    size_t left = inner_;  // of the row
    ForEachBlock<T>(*source_->bytes, [&](std::span<T> block) {
      for (std::span<T> rest = block; !rest.empty();) {
        const size_t count = std::min(left, rest.size());
        const double factor = factors_[row];
        for (T& element : rest.first(count)) element = static_cast<T>(static_cast<double>(element) * factor);
        rest = rest.subspan(count);
        left -= count;
        if (left > 0) continue;
        left = inner_;
        ++row;
      }
      sink(std::as_bytes(block));
    });
  }

  std::shared_ptr<const ir::TensorData> source_;
  std::vector<double> factors_;
  size_t inner_ = 1;  // elements for each factor
};

template <typename T>
std::vector<double> Widened(const ir::TensorBytes& bytes) {
  std::vector<double> elements;
  ForEachBlock<T>(bytes, [&](std::span<T> block) { elements.insert(elements.end(), block.begin(), block.end()); });
  return elements;
}

template <typename T>
std::string Rounded(const std::vector<double>& elements) {
  const std::vector<T> rounded(elements.begin(), elements.end());
  return {reinterpret_cast<const char*>(rounded.data()), rounded.size() * sizeof(T)};
}

}  // namespace

std::optional<std::vector<double>> ReadFloats(const ir::TensorData& data, int64_t most) {
  int64_t count = 1;
  for (const int64_t size : data.shape) {
    if (__builtin_mul_overflow(count, size, &count) || count > most) return std::nullopt;
  }
  if (data.dtype == DType::kFloat64) return Widened<double>(*data.bytes);
  if (data.dtype == DType::kFloat32) return Widened<float>(*data.bytes);
  return std::nullopt;
}

std::shared_ptr<const ir::TensorData> FloatTensor(DType dtype, const std::vector<double>& elements) {
  return ir::MakeTensor(dtype, {static_cast<int64_t>(elements.size())},
                        dtype == DType::kFloat64 ? Rounded<double>(elements) : Rounded<float>(elements));
}

std::shared_ptr<const ir::TensorData> ScaledTensor(std::shared_ptr<const ir::TensorData> source,
                                                   std::vector<double> factors) {
  auto result = std::make_shared<ir::TensorData>();
  result->dtype = source->dtype;
  result->shape = source->shape;
  result->bytes = std::make_shared<ScaledBytes>(std::move(source), std::move(factors));
  return result;
}

}  // namespace onnxport::passes
