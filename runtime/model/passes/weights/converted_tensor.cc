#include "runtime/model/passes/weights/converted_tensor.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "runtime/model/passes/weights/element_blocks.h"
#include "runtime/model/passes/weights/float8.h"

namespace onnxport::passes {
namespace {

using ir::ByteSink;
using ir::DType;

constexpr uint32_t kInfinity = 0x7f800000;  // of float32

template <typename From, typename To, To (*kConvert)(From)>
class ConvertedBytes : public ir::TensorBytes {
 public:
  explicit ConvertedBytes(std::shared_ptr<const ir::TensorData> source) : source_(std::move(source)) {}

  void Stream(const ByteSink& sink) const override {
    Convert([this](const ByteSink& blocks) { source_->bytes->Stream(blocks); }, sink);
  }
  void StreamRange(int64_t begin, int64_t size, const ByteSink& sink) const override {
    const ElementRange range(begin, size, sizeof(To));
    Convert(
        [this, &range](const ByteSink& blocks) {
          source_->bytes->StreamRange(range.first * sizeof(From), range.count * sizeof(From), blocks);
        },
        Clipped(range.skipped, size, sink));
  }
  bool has_ranges() const override { return source_->bytes->has_ranges(); }

 private:
  static void Convert(const std::function<void(const ByteSink&)>& read, const ByteSink& sink) {
    std::vector<To> converted(kBlockElements);
    ForEachBlockOf<From>(read, [&](std::span<const From> block) {
      std::ranges::transform(block, converted.begin(), kConvert);
      sink(std::as_bytes(std::span(converted).first(block.size())));
    });
  }

  std::shared_ptr<const ir::TensorData> source_;
};

// The least float32 that rounds to infinity.
float FirstBeyond(DType dtype) { return dtype == DType::kFloat16 ? 65520.0F : 0x1.ffp127F; }

float ToFloat32(double number) { return static_cast<float>(number); }

std::shared_ptr<const ir::TensorBytes> ConvertToFloat8(const std::shared_ptr<const ir::TensorData>& source,
                                                       DType dtype) {
  switch (dtype) {
    case DType::kFloat8E4M3FN:
      return std::make_shared<ConvertedBytes<float, uint8_t, ToFloat8<kE4M3FN>>>(source);
    case DType::kFloat8E5M2:
      return std::make_shared<ConvertedBytes<float, uint8_t, ToFloat8<kE5M2>>>(source);
    case DType::kFloat8E4M3FNUZ:
      return std::make_shared<ConvertedBytes<float, uint8_t, ToFloat8<kE4M3FNUZ>>>(source);
    case DType::kFloat8E5M2FNUZ:
      return std::make_shared<ConvertedBytes<float, uint8_t, ToFloat8<kE5M2FNUZ>>>(source);
    case DType::kFloat8E8M0:
      return std::make_shared<ConvertedBytes<float, uint8_t, ToE8M0>>(source);
    default:
      return nullptr;
  }
}

// float64 to float16 is left to the model: conversion through float32 would round twice.
std::shared_ptr<const ir::TensorBytes> Convert(const std::shared_ptr<const ir::TensorData>& source, DType dtype) {
  const auto is = [&](DType from, DType to) { return source->dtype == from && dtype == to; };
  if (is(DType::kFloat32, DType::kFloat16)) return std::make_shared<ConvertedBytes<float, uint16_t, ToFloat16>>(source);
  if (is(DType::kFloat32, DType::kBFloat16))
    return std::make_shared<ConvertedBytes<float, uint16_t, ToBFloat16>>(source);
  if (is(DType::kFloat64, DType::kFloat32)) return std::make_shared<ConvertedBytes<double, float, ToFloat32>>(source);
  return source->dtype == DType::kFloat32 ? ConvertToFloat8(source, dtype) : nullptr;
}

}  // namespace

uint16_t ToFloat16(float number) {
  const auto bits = std::bit_cast<uint32_t>(number);
  const auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
  const uint32_t size = bits & 0x7fffffff;
  if (size > kInfinity) return sign | 0x7e00;                           // NaN
  if (size >= std::bit_cast<uint32_t>(65536.0F)) return sign | 0x7c00;  // values in between round to infinity below
  if (size < std::bit_cast<uint32_t>(0x1p-14F)) {                       // a multiple of the least number
    return sign | static_cast<uint16_t>(std::nearbyint(std::bit_cast<float>(size) * 0x1p24F));
  }
  // 13 bits of the mantissa are dropped. Just below half is added, and 1 more if the last kept bit is odd, so ties go
  // to even. A carry into the exponent gives the right result, up to infinity.
  const uint32_t rounded = size + 0xfff + (size >> 13 & 1);
  return sign | static_cast<uint16_t>((rounded >> 13) - (uint32_t{112} << 10));  // another bias of the exponent
}

uint16_t ToBFloat16(float number) {
  const auto bits = std::bit_cast<uint32_t>(number);
  // Before rounding: the carry would turn 0x7fffffff into a zero with a sign.
  if ((bits & 0x7fffffff) > kInfinity) return static_cast<uint16_t>(bits >> 16 | 0x40);  // stays NaN
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

float LargestBeyond(const ir::TensorData& data, DType dtype) {
  float found = 0;
  const float limit = FirstBeyond(dtype);
  ForEachBlock<float>(*data.bytes, [&](std::span<const float> block) {
    for (const float number : block) {
      const float size = std::abs(number);
      if (size >= limit && std::isfinite(size) && size > std::abs(found)) found = number;
    }
  });
  return found;
}

std::shared_ptr<const ir::TensorData> ConvertedTensor(const std::shared_ptr<const ir::TensorData>& source,
                                                      DType dtype) {
  auto bytes = Convert(source, dtype);
  if (bytes == nullptr) return nullptr;
  auto result = std::make_shared<ir::TensorData>();
  result->dtype = dtype;
  result->shape = source->shape;
  result->bytes = std::move(bytes);
  return result;
}

}  // namespace onnxport::passes
