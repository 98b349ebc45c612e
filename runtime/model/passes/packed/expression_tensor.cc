#include "runtime/model/passes/packed/expression_tensor.h"

#include <utility>

#include "runtime/base/error.h"
#include "runtime/ir/packed_dtype.h"
#include "runtime/model/passes/packed/expression_reader.h"
#include "runtime/model/passes/weights/element_blocks.h"
#include "runtime/model/passes/weights/integer_packer.h"

namespace onnxport::passes {
namespace {

using ir::ByteSink;
using ir::DType;

int BitsOf(DType dtype) { return ir::IsPacked(dtype) ? ir::PackedBits(dtype) : 8; }

class IntegerBytes : public ir::TensorBytes {
 public:
  IntegerBytes(ExpressionRef whole, DType dtype, GroupOffsets added, ElementMap groups)
      : whole_(std::move(whole)), dtype_(dtype), added_(std::move(added)), groups_(std::move(groups)) {}

  void Stream(const ByteSink& sink) const override {
    IntegerPacker packer(BitsOf(dtype_), sink);
    const bool known = ExpressionReader(whole_).ForEachRun([&](const ElementRun& run) {
      const ElementMap::Row row = groups_.RowAt(run.outer);
      for (size_t i = 0; i < run.elements.size(); ++i) {
        const auto group = static_cast<size_t>(row[run.first + static_cast<int64_t>(i)]);
        const int64_t added = added_ == nullptr ? 0 : (*added_)[group];
        packer.Add(static_cast<int32_t>(run.elements[i] + added));
      }
      return true;
    });
    if (!known) throw Error(Code::kFileChanged, "the file changed while it was exported: packed weights are others");
    packer.Finish();
  }

 private:
  ExpressionRef whole_;
  DType dtype_;
  GroupOffsets added_;
  ElementMap groups_;
};

class OffsetBytes : public ir::TensorBytes {
 public:
  OffsetBytes(GroupOffsets numbers, DType dtype) : numbers_(std::move(numbers)), dtype_(dtype) {}

  void Stream(const ByteSink& sink) const override {
    IntegerPacker packer(BitsOf(dtype_), sink);
    for (const uint8_t number : *numbers_) packer.Add(number);
    packer.Finish();
  }

 private:
  GroupOffsets numbers_;
  DType dtype_;
};

class ViewedBytes : public ir::TensorBytes {
 public:
  explicit ViewedBytes(Expression::Constant constant) : constant_(std::move(constant)) {}

  void Stream(const ByteSink& sink) const override {
    const BudgetBytes all = ReadBytes(*constant_.data);
    const auto item = static_cast<size_t>(ir::ByteSize(constant_.data->dtype));
    const std::vector<int64_t> shape = constant_.map.Shape();
    std::vector<int64_t> indices(shape.size());
    std::vector<std::byte> block;
    while (true) {
      const auto* element = all.data() + static_cast<size_t>(constant_.map.Place(indices)) * item;
      block.insert(block.end(), element, element + item);
      size_t axis = shape.size();
      while (axis > 0 && ++indices[axis - 1] == shape[axis - 1]) indices[--axis] = 0;
      if (axis > 0 && block.size() < kBlockElements * item) continue;
      sink(block);
      block.clear();
      if (axis == 0) return;
    }
  }

 private:
  Expression::Constant constant_;
};

}  // namespace

std::shared_ptr<const ir::TensorData> IntegerTensor(ExpressionRef whole, DType dtype, GroupOffsets added,
                                                    ElementMap groups) {
  std::vector<int64_t> shape = whole->shape;
  auto bytes = std::make_shared<IntegerBytes>(std::move(whole), dtype, std::move(added), std::move(groups));
  return std::make_shared<const ir::TensorData>(ir::TensorData{dtype, std::move(shape), std::move(bytes)});
}

std::shared_ptr<const ir::TensorData> IntegerTensor(GroupOffsets numbers, DType dtype, std::vector<int64_t> shape) {
  auto bytes = std::make_shared<OffsetBytes>(std::move(numbers), dtype);
  return std::make_shared<const ir::TensorData>(ir::TensorData{dtype, std::move(shape), std::move(bytes)});
}

std::shared_ptr<const ir::TensorData> ViewedTensor(const Expression::Constant& constant) {
  return std::make_shared<const ir::TensorData>(
      ir::TensorData{constant.data->dtype, constant.map.Shape(), std::make_shared<ViewedBytes>(constant)});
}

}  // namespace onnxport::passes
