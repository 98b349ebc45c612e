#include "runtime/onnx/window_check.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "runtime/base/refusal.h"

namespace onnxport::onnx_ops {
namespace {

// Returns the known sizes of the kernel; unknown ones pass the check.
std::vector<int64_t> KernelOf(const NodeView& view, bool pool) {
  if (const auto stated = view.Ints("kernel_shape")) return *stated;
  const ir::Dims* weight = pool ? nullptr : view.Shape(1);
  std::vector<int64_t> kernel;
  for (size_t i = 2; weight != nullptr && i < weight->size(); ++i) {
    kernel.push_back((*weight)[i].is_number() ? (*weight)[i].number() : 1);
  }
  return kernel;
}

}  // namespace

void CheckWindow(const OpFacts& facts, const NodeView& view) {
  const bool pool = facts.form == Form::kPool;
  if (!pool && facts.form != Form::kConvolution) return;
  const std::vector<int64_t> kernel = KernelOf(view, pool);
  const auto check = [&](const char* what, const std::vector<int64_t>& sizes) {
    if (std::ranges::all_of(sizes, [](int64_t size) { return size >= 1; })) return;
    throw Refusal(Code::kBreaksOnnx, fmt::format("{} {}: each must be 1 or more", what, sizes));
  };
  check("a kernel of", kernel);
  check("strides of", view.Ints("strides").value_or(std::vector<int64_t>()));
  check("dilations of", view.Ints("dilations").value_or(std::vector<int64_t>()));
  const auto pads = view.Ints("pads");
  if (!pool || !pads || kernel.empty()) return;
  for (size_t i = 0; i < pads->size(); ++i) {
    if ((*pads)[i] < kernel[i % kernel.size()]) continue;
    throw Refusal(
        Code::kBreaksOnnx,
        fmt::format("a padding of {} with a kernel of {}: some windows would hold padding only", *pads, kernel));
  }
}

}  // namespace onnxport::onnx_ops
