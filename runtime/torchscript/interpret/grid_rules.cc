#include "runtime/torchscript/interpret/grid_rules.h"

#include <algorithm>
#include <array>
#include <span>

namespace onnxport::torchscript {
namespace {

// clang-format off
constexpr auto kKept = std::to_array<std::string_view>({
    "adaptive_max_pool2d", "alias", "amax", "amin", "channel_shuffle", "chunk", "clone", "contiguous", "detach",
    "dropout", "dropout2d", "expand", "expand_as", "feature_dropout", "flatten", "flip", "gather", "index",
    "index_select", "masked_select", "max", "max_pool1d", "max_pool2d", "max_pool3d", "maximum", "min",
    "minimum", "moveaxis", "movedim", "nan_to_num", "narrow", "numpy_T", "permute", "pixel_shuffle",
    "pixel_unshuffle", "relu", "repeat", "reshape", "reshape_as", "select", "slice", "sort", "split",
    "split_with_sizes", "squeeze", "swapaxes", "t", "tile", "topk", "transpose", "unbind", "unflatten",
    "unsqueeze", "view", "view_as"});
constexpr auto kRounded = std::to_array<std::string_view>({
    "__interpolate", "__upsample", "__upsample_bilinear", "__upsample_nearest", "adaptive_avg_pool1d",
    "adaptive_avg_pool2d", "adaptive_avg_pool3d", "avg_pool1d", "avg_pool2d", "avg_pool3d", "batch_norm", "cat",
    "clamp", "clamp_max", "clamp_min", "concat", "constant_pad_nd", "copy", "elu", "fill", "hardswish",
    "hardtanh", "index_put", "instance_norm", "leaky_relu", "masked_fill", "mean", "pad", "prelu",
    "reflection_pad2d", "relu6", "stack", "threshold", "upsample_bilinear2d", "upsample_linear1d",
    "upsample_nearest1d", "upsample_nearest2d", "upsample_nearest3d"});
constexpr auto kPlain = std::to_array<std::string_view>({
    "__is__", "__isnot__", "argmax", "argmin", "device", "dim", "eq", "equal", "format", "ge", "gt",
    "is_complex", "is_contiguous", "is_cpu", "is_cuda", "is_floating_point", "is_leaf", "is_mkldnn", "is_mps",
    "is_sparse", "is_xpu", "layout", "le", "len", "lt", "ndim", "ne", "numel", "requires_grad", "shape", "size",
    "stride"});
constexpr auto kPassed = std::to_array<std::string_view>({
    "__getitem__", "_set_item", "append", "extend", "list", "unchecked_cast"});
// clang-format on

struct OwnScale {
  std::string_view name;
  GridRule rule;
};
constexpr OwnScale kOwnScales[] = {
    {"sigmoid", {GridRule::Kind::kOwnScale, 1.0 / 256, 0, -128}},
    {"hardsigmoid", {GridRule::Kind::kOwnScale, 1.0 / 256, 0, -128}},
    {"softmax", {GridRule::Kind::kOwnScale, 1.0 / 256, 0, -128}},
    {"tanh", {GridRule::Kind::kOwnScale, 2.0 / 256, 128, 0}},
};

bool Contains(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

GridRule GridRuleOf(std::string_view name) {
  for (const OwnScale& own : kOwnScales) {
    if (own.name == name) return own.rule;
  }
  if (Contains(kPlain, name)) return {GridRule::Kind::kPlain};
  if (Contains(kPassed, name)) return {GridRule::Kind::kPassed};
  if (Contains(kKept, name)) return {GridRule::Kind::kKept};
  if (Contains(kRounded, name)) return {GridRule::Kind::kRounded};
  return {};
}

}  // namespace onnxport::torchscript
