#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/onnx/axis.h"
#include "runtime/onnx/size_rules.h"

namespace onnxport::onnx_ops::sizes {
namespace {

using ir::Dim;
using ir::Dims;

// The spatial attributes of convolutions and pools.
struct Window {
  Window(const NodeView& node, size_t rank, Dims kernel_sizes)
      : kernel(std::move(kernel_sizes)),
        strides(node.Ints("strides").value_or(std::vector<int64_t>(rank, 1))),
        dilations(node.Ints("dilations").value_or(std::vector<int64_t>(rank, 1))),
        pads(node.Ints("pads").value_or(std::vector<int64_t>(2 * rank, 0))) {
    const ir::Arg* auto_pad = node.Attribute("auto_pad");
    const std::string* mode = auto_pad ? std::get_if<std::string>(&auto_pad->v) : nullptr;
    // SAME and VALID have other formulas; no spec uses them.
    valid = (!mode || *mode == "NOTSET") && kernel.size() == rank && strides.size() == rank &&
            dilations.size() == rank && pads.size() == 2 * rank;
    for (const int64_t stride : strides) valid = valid && stride > 0;
  }
  // Computes with Dims, as they do not overflow.
  Dim Reach(size_t i) const { return Dim(dilations[i]) * (kernel[i] - Dim(1)) + Dim(1); }
  Dim Padding(size_t i) const { return Dim(pads[i]) + Dim(pads[i + kernel.size()]); }
  // Returns how many windows fit into an axis. `ceil_mode` lets the last one run over the end if it begins on the axis
  // or in the padding before it.
  Dim Fitting(size_t i, const Dim& size, bool ceil_mode) const {
    const Dim stride(strides[i]);
    const Dim length = size + Padding(i) - Reach(i);
    if (!ceil_mode) return Dim::FloorDiv(length, stride) + Dim(1);
    const Dim begins = size + Dim(pads[i]) - Dim(1);
    return Dim::FloorDiv(Dim::Min(length + stride - Dim(1), begins), stride) + Dim(1);
  }

  Dims kernel;
  std::vector<int64_t> strides, dilations, pads;
  bool valid = false;
};

Dims KernelOfPool(const NodeView& node) {
  const auto given = node.Ints("kernel_shape");
  return given ? Dims(given->begin(), given->end()) : Dims();
}

// The weight has the kernel's sizes if no attribute states them.
Dims KernelOfConvolution(const NodeView& node) {
  const Dims* weight = node.Shape(1);
  if (node.Ints("kernel_shape") || weight == nullptr || weight->size() <= 2) return KernelOfPool(node);
  return {weight->begin() + 2, weight->end()};
}

// Returns the size of axis 1 of a convolution's output.
Dim Channels(const NodeView& node, size_t axis, const Dim& groups) {
  const Dims* weight = node.Shape(1);
  return weight && axis < weight->size() ? (*weight)[axis] * groups : Dim();
}

// Returns a length that is an input: a number or a size.
Dim Single(const NodeView& node, size_t input) {
  const Dims* elements = node.Elements(input);
  return elements && elements->size() == 1 ? elements->front() : Dim();
}

Dim CountOf(const Dims& sizes) {
  Dim count(1);
  for (const Dim& size : sizes) count = count * size;
  return count;
}

constexpr int64_t kParts = 2;  // of a complex number

// Real input gives a spectrum whose second half mirrors the first, so n // 2 + 1 bins are kept.
Dim Bins(const NodeView& node, const Dim& points) {
  if (points.is_unknown() || node.Int("onesided", 0) == 0) return points;
  return Dim::FloorDiv(points, Dim(2)) + Dim(1);
}

// Sets the batch, and how often the window fits.
void SetSlid(const Window& window, const Dims& in, InferredTypes* types, bool ceil_mode = false) {
  if (!window.valid) return;
  for (InferredType& type : *types) {
    if (!type.dims || type.dims->size() != in.size()) continue;
    Set(&*type.dims, 0, in[0]);
    for (size_t i = 0; i < window.kernel.size(); ++i) {
      Set(&*type.dims, i + 2, window.Fitting(i, in[i + 2], ceil_mode));
    }
  }
}

}  // namespace

void Pool(const NodeView& node, InferredTypes* types) {
  const Dims* in = node.Shape(0);
  if (!in || in->size() < 3) return;
  SetSlid(Window(node, in->size() - 2, KernelOfPool(node)), *in, types, node.Int("ceil_mode", 0) != 0);
}

// Inference gives up if sizes of the kernel are unknown.
void Convolution(const NodeView& node, InferredTypes* types) {
  const Dims* in = node.Shape(0);
  if (!in || in->size() < 3) return;
  const Window window(node, in->size() - 2, KernelOfConvolution(node));
  if (!window.valid) return;
  if (Dims* out = Result(types, in->size())) Set(out, 1, Channels(node, 0, Dim(1)));
  SetSlid(window, *in, types);
}

void ConvTranspose(const NodeView& node, InferredTypes* types) {
  const Dims* in = node.Shape(0);
  if (!in || in->size() < 3 || node.Attribute("output_shape")) return;
  const size_t rank = in->size() - 2;
  const Window window(node, rank, KernelOfConvolution(node));
  const auto extra = node.Ints("output_padding").value_or(std::vector<int64_t>(rank, 0));
  Dims* out = Result(types, in->size());
  if (!window.valid || extra.size() != rank || !out) return;
  Set(out, 0, (*in)[0]);
  Set(out, 1, Channels(node, 1, Dim(node.Int("group", 1))));
  // The convolution backwards: (in - 1) * stride + reach + output_padding - pads.
  for (size_t i = 0; i < rank; ++i) {
    const Dim spread = ((*in)[i + 2] - Dim(1)) * Dim(window.strides[i]);
    Set(out, i + 2, spread + window.Reach(i) + Dim(extra[i]) - window.Padding(i));
  }
}

// [batch, channels * elements of a block, blocks] gives [batch, channels, picture...].
void Col2Im(const NodeView& node, InferredTypes* types) {
  const Dims* in = node.Shape(0);
  const Dims* picture = node.Elements(1);
  const Dims* block = node.Elements(2);
  Dims* out = in && in->size() == 3 && picture ? Result(types, picture->size() + 2) : nullptr;
  if (!out) return;
  Set(out, 0, (*in)[0]);
  if (block) Set(out, 1, Dim::FloorDiv((*in)[1], CountOf(*block)));
  for (size_t i = 0; i < picture->size(); ++i) Set(out, i + 2, (*picture)[i]);
}

// Handles given sizes only. A size from factors depends on the rounding of floats.
void Resize(const NodeView& node, InferredTypes* types) {
  const Dims* in = node.Shape(0);
  const Dims* wanted = node.Elements(3);
  if (!in || !wanted || node.Attribute("keep_aspect_ratio_policy") || node.Attribute("axes")) return;
  Dims* out = wanted->size() == in->size() ? Result(types, in->size()) : nullptr;
  for (size_t i = 0; out && i < wanted->size(); ++i) Set(out, i, (*wanted)[i]);
}

void Dft(const NodeView& node, InferredTypes* types) {
  const Dims* in = node.Shape(0);
  Dims* out = in && !in->empty() ? Result(types, in->size()) : nullptr;
  const Dim given = node.Input(2) ? Single(node, 2) : Dim(node.Int("axis", 1));
  if (!out || !given.is_number()) return;
  const int64_t axis = FromFront(given.number(), out->size());
  for (size_t i = 0; i + 1 < out->size(); ++i) {
    const Dim points = static_cast<int64_t>(i) == axis && node.Input(1) ? Single(node, 1) : (*in)[i];
    Set(out, i, static_cast<int64_t>(i) == axis ? Bins(node, points) : points);
  }
  Set(out, out->size() - 1, Dim(kParts));
}

// The result is [batch, frames, bins, 2].
void Stft(const NodeView& node, InferredTypes* types) {
  const Dims* in = node.Shape(0);
  Dims* out = in && in->size() > 1 ? Result(types, 4) : nullptr;
  if (!out) return;
  const Dim step = Single(node, 1);
  const Dim frame = node.Input(3) ? Single(node, 3) : node.Shape(2) ? node.Shape(2)->front() : Dim();
  Set(out, 0, (*in)[0]);
  if (!step.is_unknown() && !frame.is_unknown() && !(*in)[1].is_unknown()) {
    Set(out, 1, Dim::FloorDiv((*in)[1] - frame, step) + Dim(1));
  }
  Set(out, 2, Bins(node, frame));
  Set(out, 3, Dim(kParts));
}

}  // namespace onnxport::onnx_ops::sizes
