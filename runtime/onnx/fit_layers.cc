#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/onnx/fit_rules.h"

namespace onnxport::onnx_ops::fit {
namespace {

using ir::Dim;
using ir::Dims;

void CheckSameShape(const NodeView& view, size_t i, size_t j) {
  const Dims* a = view.Shape(i);
  const Dims* b = view.Shape(j);
  for (size_t d = 0; a && b && d < std::min(a->size(), b->size()); ++d) Checker(view).Equal(a, d, b, d);
}

// A trace has the groups as a number, even if the program computed them from a size: the batch, with a weight for each
// of its elements.
std::string GroupsText(int64_t groups, std::string_view windows) {
  return fmt::format(
      " in {} groups, which is a number here, and in ONNX always ({} and torch.bmm take a weight for each element)",
      groups, windows);
}

}  // namespace

// x is [batch, channels, ...], w is [out, channels / groups, ...].
void Convolution(const NodeView& view) {
  const Dims* w = view.Shape(1);
  if (!w || w->size() < 2) return;
  const int64_t groups = view.Int("group", 1);
  const Dims channels{(*w)[1] * Dim(groups)};
  Checker(view, groups == 1 ? "" : GroupsText(groups, "F.unfold")).Equal(view.Shape(0), 1, &channels, 0);
}

// w is [channels, out / groups, ...]. Any number of channels that the groups divide would fit, and give another result.
void ConvTranspose(const NodeView& view) {
  Channels(view);
  const int64_t groups = view.Int("group", 1);
  if (groups == 1) return;
  const Checker check(view, GroupsText(groups, "F.fold"));
  check.NotFree(view.Shape(0), 1);
  check.NotFree(view.Shape(1), 0);
}

// A scale is [channels], and the weight of a ConvTranspose begins with them.
void Channels(const NodeView& view) { Checker(view).Equal(view.Shape(0), 1, view.Shape(1), 0); }

// x is [time, batch, input], w is [directions, gates * hidden, input], and the lengths (input 4) are [batch]. The
// states are [directions, batch, hidden].
void Recurrent(const NodeView& view) {
  const Checker check(view);
  const Dims* x = view.Shape(0);
  const Dims* r = view.Shape(2);  // [directions, gates * hidden, hidden]
  check.Equal(x, 2, view.Shape(1), 2);
  check.Equal(x, 1, view.Shape(4), 0);
  for (const size_t state : {5, 6}) {  // 6: for an LSTM
    check.Equal(r, 0, view.Shape(state), 0);
    check.Equal(x, 1, view.Shape(state), 1);
    check.Equal(r, 2, view.Shape(state), 2);
  }
}

void Scatter(const NodeView& view) { CheckSameShape(view, 1, 2); }

void MaxUnpool(const NodeView& view) { CheckSameShape(view, 0, 1); }

// Indices [5, 2] into data [2, 3, 4] need updates of [5, 4]. These are the axes of the indices but the last, and then
// the axes of the data that an index leaves out.
void ScatterNd(const NodeView& view) {
  const Checker check(view);
  const Dims* data = view.Shape(0);
  const Dims* indices = view.Shape(1);
  const Dims* updates = view.Shape(2);
  if (!data || !indices || !updates || indices->empty() || !indices->back().is_number()) return;
  const size_t outer = indices->size() - 1;
  const auto tuple = static_cast<size_t>(indices->back().number());
  for (size_t d = 0; d < outer; ++d) check.Equal(indices, d, updates, d);
  for (size_t d = tuple; d < data->size(); ++d) check.Equal(data, d, updates, outer + d - tuple);
}

void GridSample(const NodeView& view) { Checker(view).Equal(view.Shape(0), 0, view.Shape(1), 0); }

void RoiAlign(const NodeView& view) { Checker(view).Equal(view.Shape(1), 0, view.Shape(2), 0); }

// Boxes are [batch, count, 4], scores are [batch, classes, count].
void Boxes(const NodeView& view) {
  const Checker check(view);
  check.Equal(view.Shape(0), 0, view.Shape(1), 0);
  check.Equal(view.Shape(0), 1, view.Shape(1), 2);
}

// x is [batch, classes, ...], targets are [batch, ...].
void Loss(const NodeView& view) {
  const Checker check(view);
  const Dims* x = view.Shape(0);
  check.Equal(x, 0, view.Shape(1), 0);
  for (size_t d = 2; x && d < x->size(); ++d) check.Equal(x, d, view.Shape(1), d - 1);
}

// A scale without axes applies to the whole x; the scale of a blocked quantization has x's rank.
void Quantize(const NodeView& view) {
  const Dims* x = view.Shape(0);
  const Dims* scale = view.Shape(1);
  if (!x || !scale || scale->size() != 1) return;
  int64_t axis = view.Int("axis", 1);
  if (axis < 0) axis += static_cast<int64_t>(x->size());
  Checker(view).Equal(x, static_cast<size_t>(axis), scale, 0);
}

void ReverseSequence(const NodeView& view) {
  Checker(view).Equal(view.Shape(0), static_cast<size_t>(view.Int("batch_axis", 1)), view.Shape(1), 0);
}

}  // namespace onnxport::onnx_ops::fit
