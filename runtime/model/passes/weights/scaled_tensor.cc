#include "runtime/model/passes/weights/scaled_tensor.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include "runtime/model/passes/graph/axis_walk.h"
#include "runtime/model/passes/weights/element_blocks.h"

namespace onnxport::passes {
namespace {

using ir::DType;

constexpr size_t kTogether = 4;  // elements that one instruction multiplies

using ir::ByteSink;

// Rounded once, for any type of the elements.
template <typename T>
void Times(std::span<const T> elements, double factor, T* to) {
  typedef T Elements __attribute__((vector_size(kTogether * sizeof(T))));
  typedef double Doubles __attribute__((vector_size(kTogether * sizeof(double))));
  size_t i = 0;
  for (; i + kTogether <= elements.size(); i += kTogether) {
    Elements some;
    std::memcpy(&some, &elements[i], sizeof some);
    some = __builtin_convertvector(__builtin_convertvector(some, Doubles) * factor, Elements);
    std::memcpy(to + i, &some, sizeof some);
  }
  for (; i < elements.size(); ++i) to[i] = static_cast<T>(static_cast<double>(elements[i]) * factor);
}

class ScaledBytes : public ir::TensorBytes {
 public:
  ScaledBytes(std::shared_ptr<const ir::TensorData> source, std::vector<double> factors, size_t axis)
      : source_(std::move(source)), factors_(std::move(factors)), axis_(axis) {}

  void Stream(const ByteSink& sink) const override {
    Scale(0, [this](const ByteSink& blocks) { source_->bytes->Stream(blocks); }, sink);
  }
  void StreamRange(int64_t begin, int64_t size, const ByteSink& sink) const override {
    const int64_t item = ir::ByteSize(source_->dtype);
    const ElementRange range(begin, size, item);
    Scale(
        range.first,
        [&](const ByteSink& blocks) { source_->bytes->StreamRange(range.first * item, range.count * item, blocks); },
        Clipped(range.skipped, size, sink));
  }
  bool has_ranges() const override { return source_->bytes->has_ranges(); }

 private:
  using Read = std::function<void(const ByteSink&)>;

  void Scale(int64_t first, const Read& read, const ByteSink& sink) const {
    if (source_->dtype == DType::kFloat64) return ScaleAs<double>(first, read, sink);
    ScaleAs<float>(first, read, sink);
  }

  template <typename T>
  void ScaleAs(int64_t first, const Read& read, const ByteSink& sink) const {
    std::vector<T> scaled(kBlockElements);
    AxisWalk walk(source_->shape, axis_, static_cast<size_t>(first));
    ForEachBlockOf<T>(read, [&](std::span<const T> block) {
      T* next = scaled.data();
      walk.Next(block, [&](size_t index, std::span<const T> run) {
        Times(run, factors_[index], next);
        next += run.size();
      });
      sink(std::as_bytes(std::span(scaled).first(block.size())));
    });
  }

  std::shared_ptr<const ir::TensorData> source_;
  std::vector<double> factors_;
  size_t axis_;
};

template <typename T>
std::vector<double> SquaresOf(const ir::TensorData& data, size_t axis) {
  std::vector<double> sums(static_cast<size_t>(data.shape[axis]));
  AxisWalk walk(data.shape, axis);
  ForEachBlock<T>(*data.bytes, [&](std::span<const T> block) {
    walk.Next(block, [&sums](size_t index, std::span<const T> run) {
      for (const double element : run) sums[index] += element * element;
    });
  });
  return sums;
}

template <typename T>
std::vector<double> Widened(const ir::TensorBytes& bytes) {
  std::vector<double> elements;
  ForEachBlock<T>(bytes,
                  [&](std::span<const T> block) { elements.insert(elements.end(), block.begin(), block.end()); });
  return elements;
}

template <typename T>
std::string Rounded(const std::vector<double>& elements) {
  const std::vector<T> rounded(elements.begin(), elements.end());
  return {reinterpret_cast<const char*>(rounded.data()), rounded.size() * sizeof(T)};
}

}  // namespace

// A float32 ranges from 2**-126 to 2**128. A weight within 2**-60 to 2**60 times such a factor does not become 0 or
// infinite.
bool IsTame(double factor) {
  const double size = std::abs(factor);
  return size == 0 || (size >= 0x1p-40 && size <= 0x1p40);
}

std::optional<std::vector<double>> ReadFloats(const ir::TensorData& data, int64_t most) {
  int64_t count = 1;
  for (const int64_t size : data.shape) {
    if (__builtin_mul_overflow(count, size, &count) || count > most) return std::nullopt;
  }
  if (data.dtype == DType::kFloat64) return Widened<double>(*data.bytes);
  if (data.dtype == DType::kFloat32) return Widened<float>(*data.bytes);
  return std::nullopt;
}

std::vector<double> SumsOfSquares(const ir::TensorData& data, size_t axis) {
  return data.dtype == DType::kFloat64 ? SquaresOf<double>(data, axis) : SquaresOf<float>(data, axis);
}

std::shared_ptr<const ir::TensorData> FloatTensor(DType dtype, const std::vector<double>& elements) {
  return ir::MakeTensor(dtype, {static_cast<int64_t>(elements.size())},
                        dtype == DType::kFloat64 ? Rounded<double>(elements) : Rounded<float>(elements));
}

std::shared_ptr<const ir::TensorData> ScaledTensor(std::shared_ptr<const ir::TensorData> source,
                                                   std::vector<double> factors, size_t axis) {
  auto result = std::make_shared<ir::TensorData>();
  result->dtype = source->dtype;
  result->shape = source->shape;
  result->bytes = std::make_shared<ScaledBytes>(std::move(source), std::move(factors), axis);
  return result;
}

}  // namespace onnxport::passes
