#include "runtime/model/passes/packed/dequantize_plan.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/ir/packed_dtype.h"
#include "runtime/model/passes/packed/expression_reader.h"
#include "runtime/model/passes/packed/expression_tensor.h"
#include "runtime/model/passes/weights/float_blocks.h"

namespace onnxport::passes {
namespace {

using ir::DType;
using Numbers = ElementMap::Numbers;

constexpr int kHalfScaleOpset = 19;
constexpr int kBlockOpset = 21;

// Larger than the range of any type below, with any zero point.
constexpr int16_t kMostOfElement = 255;

struct StoredType {
  DType dtype;
  int opset;
  int64_t least;
  int64_t largest;
};
// If two types have the same size, the signed one comes first, because its zero points are 0.
constexpr StoredType kStoredTypes[] = {
    {ir::kInt2, 25, -2, 1},  {ir::kUInt2, 25, 0, 3},        {ir::kInt4, 21, -8, 7},
    {ir::kUInt4, 21, 0, 15}, {DType::kInt8, 13, -128, 127}, {DType::kUInt8, 13, 0, 255},
};

// How the elements are divided into groups: the number of neighbours along each axis.
struct Grid {
  Numbers divisors;
  std::optional<size_t> axis;
  std::optional<int64_t> block;
};

std::optional<Grid> GridOf(const ElementMap& scales, int opset) {
  const Numbers shape = scales.Shape();
  Grid grid = {.divisors = shape, .axis = {}, .block = {}};
  std::vector<size_t> changing;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (scales.RunAlong(axis) < shape[axis]) changing.push_back(axis);
  }
  if (changing.empty()) return grid;
  const auto run = [&scales](size_t axis) { return scales.RunAlong(axis); };
  grid.axis = *std::ranges::max_element(changing, {}, run);
  const int64_t longest = run(*grid.axis);
  if (longest == 1) {
    if (changing.size() > 1) return std::nullopt;  // each element has a scale
    grid.divisors[*grid.axis] = 1;
    return grid;
  }
  if (opset < kBlockOpset) return std::nullopt;
  std::ranges::fill(grid.divisors, 1);
  grid.divisors[*grid.axis] = longest;
  grid.block = longest;
  return grid;
}

// The scales in the form of DequantizeLinear.
std::optional<Expression::Constant> ScalesOf(Expression::Constant scales, const Grid& grid) {
  const Numbers shape = scales.map.Shape();
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    Numbers first;
    for (int64_t i = 0; i < shape[axis]; i += grid.divisors[axis]) first.push_back(i);
    scales.map.Take(axis, first);
  }
  if (grid.block) return scales;
  if (!scales.map.Reshape(grid.axis ? Numbers{shape[*grid.axis]} : Numbers())) return std::nullopt;
  return scales;
}

bool AreFinite(const ir::TensorData& scales) {
  bool finite = true;
  ForEachFloatBlock(scales, [&](std::span<const float> block) {
    finite = finite && std::ranges::all_of(block, [](float scale) { return std::isfinite(scale); });
  });
  return finite;
}

// The number of the group of each element.
ElementMap GroupsOf(const Numbers& shape, const Grid& grid) {
  Numbers groups = shape;
  for (size_t axis = 0; axis < shape.size(); ++axis) groups[axis] = (shape[axis] - 1) / grid.divisors[axis] + 1;
  ElementMap map(groups);
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    Numbers indices;
    for (int64_t i = 0; i < shape[axis]; ++i) indices.push_back(i / grid.divisors[axis]);
    map.Take(axis, indices);
  }
  return map;
}

// The least and largest element of each group.
struct Extents {
  std::vector<int16_t> least;
  std::vector<int16_t> largest;
};

std::optional<Extents> ExtentsOf(const ExpressionRef& elements, const ElementMap& groups) {
  const Numbers shape = groups.Shape();
  Numbers last;
  for (const int64_t size : shape) last.push_back(size - 1);
  const auto count = static_cast<size_t>(groups.Place(last)) + 1;
  Extents extents = {std::vector<int16_t>(count, kMostOfElement), std::vector<int16_t>(count, -kMostOfElement)};
  const bool known = ExpressionReader(elements).ForEachRun([&](const ElementRun& run) {
    const ElementMap::Row row = groups.RowAt(run.outer);
    for (size_t i = 0; i < run.elements.size(); ++i) {
      if (std::abs(run.elements[i]) > kMostOfElement) return false;
      const auto element = static_cast<int16_t>(run.elements[i]);
      const auto group = static_cast<size_t>(row[run.first + static_cast<int64_t>(i)]);
      extents.least[group] = std::min(extents.least[group], element);
      extents.largest[group] = std::max(extents.largest[group], element);
    }
    return true;
  });
  return known ? std::optional(std::move(extents)) : std::nullopt;
}

// Elements of a type, and the number added to those of each group.
struct Storage {
  DType dtype;
  GroupOffsets added;  // null: nothing
};

// The numbers that move a group's elements into the range of the type; each is the nearest one to 0.
GroupOffsets AddedFor(const StoredType& type, const Extents& extents) {
  auto added = std::make_shared<std::vector<uint8_t>>();
  for (size_t i = 0; i < extents.least.size(); ++i) {
    const int64_t number = std::max(0, -extents.least[i]);
    if (number > type.largest || extents.largest[i] + number > type.largest) return nullptr;
    added->push_back(static_cast<uint8_t>(number));
  }
  return added;
}

std::optional<Storage> StorageOf(const Extents& extents, const Numbers& shape, int opset) {
  const int64_t least = std::ranges::min(extents.least);
  const int64_t largest = std::ranges::max(extents.largest);
  for (const StoredType& type : kStoredTypes) {
    // ONNX Runtime reads rows of 2 bits that end within a byte wrongly (quantize_weights.cc).
    const bool is_read = ir::PackedBits(type.dtype) != 2 || shape.back() % 4 == 0;
    if (opset < type.opset || !is_read) continue;
    if (least >= type.least && largest <= type.largest) return Storage{.dtype = type.dtype, .added = nullptr};
    if (type.least != 0) continue;
    if (auto added = AddedFor(type, extents)) return Storage{.dtype = type.dtype, .added = std::move(added)};
  }
  return std::nullopt;
}

}  // namespace

DequantizePlan PlanDequantize(const ExpressionRef& product, int opset) {
  const auto no = [](std::string_view why) { return DequantizePlan{.why_not = why}; };
  const auto* computed = std::get_if<Expression::Computed>(&product->form);
  if (computed == nullptr || computed->node->op != "Mul" || !HasFloatBlocks(product->dtype))
    return no("it is no product of integers and constant scales of float32, float16 or bfloat16");
  if (opset < (product->dtype == DType::kFloat32 ? kAxisOpset : kHalfScaleOpset))
    return no("scales of 16 bits need opset 19");
  ExpressionRef elements = computed->operands[0];
  ExpressionRef factor = computed->operands[1];
  if (std::holds_alternative<Expression::Constant>(elements->form)) std::swap(elements, factor);
  const auto* constant = std::get_if<Expression::Constant>(&factor->form);
  if (constant == nullptr || std::holds_alternative<Expression::Constant>(elements->form))
    return no("its scales are computed, or there is nothing to unpack");
  const auto grid = GridOf(constant->map, opset);
  const auto scales = grid ? ScalesOf(*constant, *grid) : std::nullopt;
  if (!scales)
    return no(opset < kBlockOpset ? "groups of scales need opset 21"
                                  : "its scales do not follow one axis from block to block, as in activation order");
  DequantizePlan plan;
  plan.axis = grid->axis;
  plan.block = grid->block;
  plan.tensors.scales = ViewedTensor(*scales);
  if (!AreFinite(*plan.tensors.scales)) return no("a scale is infinite or NaN");
  ElementMap groups = GroupsOf(product->shape, *grid);
  const auto extents = ExtentsOf(elements, groups);
  if (!extents) return no("what is multiplied by its scales are not all integers from -255 to 255");
  auto storage = StorageOf(*extents, product->shape, opset);
  if (!storage) return no("no integer type of this opset holds its elements");
  if (storage->added != nullptr)
    plan.tensors.zero_points = IntegerTensor(storage->added, storage->dtype, plan.tensors.scales->shape);
  plan.tensors.elements =
      IntegerTensor(std::move(elements), storage->dtype, std::move(storage->added), std::move(groups));
  return plan;
}

}  // namespace onnxport::passes
