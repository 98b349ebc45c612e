#include <algorithm>
#include <iterator>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "runtime/model/passes/graph/axis_walk.h"
#include "runtime/model/passes/quantize/not_quantizable.h"
#include "runtime/model/passes/quantize/quantized_numbers.h"
#include "runtime/model/passes/quantize/quantized_tensor.h"
#include "runtime/model/passes/quantize/weight_types.h"
#include "runtime/model/passes/weights/float_blocks.h"

namespace onnxport::passes {
namespace {

using ir::ByteSink;

// The scales of a tensor, computed on first use, perhaps by two threads that write.
class ChannelScales {
 public:
  ChannelScales(std::shared_ptr<const ir::TensorData> source, size_t axis, std::string name)
      : source_(std::move(source)), axis_(axis), name_(std::move(name)) {}

  const ir::TensorData& source() const { return *source_; }
  size_t axis() const { return axis_; }
  const std::string& name() const { return name_; }

  const std::vector<float>& Get() const {
    const std::lock_guard lock(mutex_);
    if (!known_) Read();
    return scales_;
  }

 private:
  void Read() const {
    std::vector<float> largest(static_cast<size_t>(source_->shape[axis_]));
    AxisWalk walk(source_->shape, axis_);
    ForEachFloatBlock(*source_, [&](std::span<const float> block) {
      walk.Next(block, [&](size_t index, std::span<const float> run) {
        largest[index] = std::max(largest[index], LargestOf(run, name_));
      });
    });
    const auto steps = static_cast<float>(FactsOf(WeightType::kInt8).numbers.range.largest);
    for (float& number : largest) number = ScaleOf(number, steps);
    scales_ = std::move(largest);
    known_ = true;
  }

  std::shared_ptr<const ir::TensorData> source_;
  size_t axis_;
  std::string name_;
  mutable std::mutex mutex_;
  mutable bool known_ = false;
  mutable std::vector<float> scales_;
};

class ChannelScaleBytes : public ir::TensorBytes {
 public:
  explicit ChannelScaleBytes(std::shared_ptr<const ChannelScales> scales) : scales_(std::move(scales)) {}
  void Stream(const ByteSink& sink) const override { sink(std::as_bytes(std::span(scales_->Get()))); }

 private:
  std::shared_ptr<const ChannelScales> scales_;
};

class Int8Bytes : public ir::TensorBytes {
 public:
  Int8Bytes(std::shared_ptr<const ChannelScales> scales, std::shared_ptr<PrecisionLoss> lost)
      : scales_(std::move(scales)), lost_(std::move(lost)) {}

  void Stream(const ByteSink& sink) const override {
    const std::vector<float>& scales = scales_->Get();
    std::vector<NonZeros> counts(scales.size());
    std::vector<int8_t> integers(kBlockElements);
    AxisWalk walk(scales_->source().shape, scales_->axis());
    ForEachFloatBlock(scales_->source(), [&](std::span<const float> block) {
      int8_t* next = integers.data();
      walk.Next(block, [&](size_t index, std::span<const float> run) {
        const float scale = scales[index];
        NonZeros& count = counts[index];
        for (const float number : run) {
          const auto integer = static_cast<int8_t>(ToNearest(number / scale));
          *next++ = integer;
          count.before += number != 0;
          count.after += integer != 0;
        }
      });
      sink(std::as_bytes(std::span(integers).first(block.size())));
    });
    if (lost_ == nullptr) return;
    const auto lost = std::ranges::count_if(counts, [](NonZeros count) { return IsLost(count, /*two_bits=*/false); });
    lost_->Note(scales_->name(), lost, std::ssize(counts));
  }

 private:
  std::shared_ptr<const ChannelScales> scales_;
  std::shared_ptr<PrecisionLoss> lost_;
};

}  // namespace

QuantizedTensor QuantizedByChannel(std::shared_ptr<const ir::TensorData> source, size_t axis, std::string name,
                                   std::shared_ptr<PrecisionLoss> lost) {
  const std::vector<int64_t> shape = source->shape;
  const auto scales = std::make_shared<ChannelScales>(std::move(source), axis, std::move(name));
  const auto tensor = [](ir::DType dtype, std::vector<int64_t> sizes, std::shared_ptr<const ir::TensorBytes> bytes) {
    return std::make_shared<ir::TensorData>(ir::TensorData{dtype, std::move(sizes), std::move(bytes)});
  };
  return {.elements = tensor(ir::DType::kInt8, shape, std::make_shared<Int8Bytes>(scales, std::move(lost))),
          .scales = tensor(ir::DType::kFloat32, {shape[axis]}, std::make_shared<ChannelScaleBytes>(scales)),
          .zero_points = nullptr,
          .scale_scale = nullptr};
}

}  // namespace onnxport::passes
