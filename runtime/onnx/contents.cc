#include "runtime/onnx/contents.h"

#include <algorithm>
#include <utility>

#include "runtime/onnx/content_rules.h"

namespace onnxport::onnx_ops {
namespace {

using ir::Dim;
using ir::Dims;
using ir::DType;

constexpr size_t kMaxElements = 256;  // larger tensors are not followed

int64_t Bound(int64_t bound, int64_t size) { return std::clamp<int64_t>(bound < 0 ? bound + size : bound, 0, size); }

// Divides and truncates, which equals flooring if nothing is negative.
Dim Quotient(const Dim& a, const Dim& b, const NodeView& call) {
  if (b.is_number() && b.number() == 0) return {};
  if (a.is_number() && b.is_number()) return b.number() == -1 ? Dim(0) - a : Dim(a.number() / b.number());
  return call.NotNegative(a) && call.NotNegative(b) ? Dim::FloorDiv(a, b) : Dim();
}

// Broadcasts as the node does: the element of a 0-d tensor or of a [1] meets each element of the other operand.
// Combines more than two inputs (Max, Min) one after another.
template <typename Combine>
Contents Combined(const NodeView& call, const Combine& combine) {
  const Dims* first = call.Elements(0);
  if (!first) return std::nullopt;
  Dims out = *first;
  for (size_t i = 1; i < call.node.inputs.size(); ++i) {
    const Dims* next = call.Elements(i);
    if (!next) return std::nullopt;
    const size_t size = out.size() == 1 ? next->size() : out.size();
    if (out.size() != 1 && next->size() != 1 && out.size() != next->size()) return std::nullopt;
    Dims combined;
    for (size_t k = 0; k < size; ++k) {
      combined.push_back(combine(out[out.size() == 1 ? 0 : k], (*next)[next->size() == 1 ? 0 : k]));
    }
    out = std::move(combined);
  }
  return out;
}

// Reduces a 1-d input. The result is one element, whatever the axes and keepdims are.
template <typename Combine>
Contents Reduce(const NodeView& call, const Combine& combine) {
  const Dims* data = call.Elements(0);
  if (!data || data->empty() || call.Input(0)->dims->size() != 1) return std::nullopt;
  if (call.Int("noop_with_empty_axes", 0) != 0) return std::nullopt;
  Dim total = data->front();
  for (size_t i = 1; i < data->size(); ++i) total = combine(total, (*data)[i]);
  return Dims{total};
}

// Forgets elements that an int32 may not hold.
void ForgetOverflow(Dims* contents) {
  for (Dim& dim : *contents) {
    if (dim.is_number() && !std::in_range<int32_t>(dim.number())) dim = Dim();
  }
}

}  // namespace

namespace contents {

Contents Keep(const NodeView& call) {
  const ir::Value* input = call.Input(0);
  if (!input || !input->contents) return std::nullopt;
  const bool whole = input->dtype == DType::kInt64 || input->dtype == DType::kInt32;
  return whole ? Contents(*input->contents) : std::nullopt;
}

Contents Shape(const NodeView& call) {
  const ir::Value* input = call.Input(0);
  if (!input || !input->dims) return std::nullopt;
  const Dims& dims = *input->dims;
  const auto size = static_cast<int64_t>(dims.size());
  const int64_t begin = Bound(call.Int("start", 0), size);
  const int64_t end = Bound(call.Int("end", size), size);
  if (begin >= end) return Dims{};
  return Dims(dims.begin() + begin, dims.begin() + end);
}

Contents Size(const NodeView& call) {
  const ir::Value* input = call.Input(0);
  if (!input || !input->dims) return std::nullopt;
  Dim product(1);
  for (const Dim& dim : *input->dims) product = product * dim;
  return Dims{product};
}

Contents Gather(const NodeView& call) {
  const Dims* data = call.Elements(0);
  // The indices must be numbers; the elements may be anything: Gather([s0, 3], 0) is s0.
  const auto indices = call.Numbers(1);
  if (!data || !indices || call.Input(0)->dims->size() != 1) return std::nullopt;
  Dims out;
  for (int64_t index : *indices) {
    if (index < 0) index += static_cast<int64_t>(data->size());
    if (index < 0 || index >= static_cast<int64_t>(data->size())) return std::nullopt;
    out.push_back((*data)[static_cast<size_t>(index)]);
  }
  return out;
}

Contents Slice(const NodeView& call) {
  const Dims* data = call.Elements(0);
  if (!data || call.Input(0)->dims->size() != 1) return std::nullopt;
  const auto start = call.One("starts", 1, 0);
  const auto end = call.One("ends", 2, 0);
  const auto step = call.One("steps", 4, 1);
  if (!start || !end || step != 1) return std::nullopt;
  const auto size = static_cast<int64_t>(data->size());
  const int64_t first = Bound(*start, size);
  const int64_t last = Bound(*end, size);
  if (first >= last) return Dims{};
  return Dims(data->begin() + first, data->begin() + last);
}

Contents Concat(const NodeView& call) {
  Dims out;
  for (size_t i = 0; i < call.node.inputs.size(); ++i) {
    const ir::Value* input = call.Input(i);
    if (!input || !input->dims || input->dims->size() != 1) return std::nullopt;
    if (input->contents) {
      out.insert(out.end(), input->contents->begin(), input->contents->end());
    } else if ((*input->dims)[0].is_number() && (*input->dims)[0].number() >= 0 &&
               (*input->dims)[0].number() <= static_cast<int64_t>(kMaxElements)) {
      // Adds as many unknown elements, so that the elements after them keep their places.
      out.resize(out.size() + static_cast<size_t>((*input->dims)[0].number()));
    } else {
      return std::nullopt;
    }
  }
  return out;
}

Contents Add(const NodeView& call) {
  return Combined(call, [](const Dim& a, const Dim& b) { return a + b; });
}

Contents Sub(const NodeView& call) {
  return Combined(call, [](const Dim& a, const Dim& b) { return a - b; });
}

Contents Mul(const NodeView& call) {
  return Combined(call, [](const Dim& a, const Dim& b) { return a * b; });
}

Contents Div(const NodeView& call) {
  return Combined(call, [&](const Dim& a, const Dim& b) { return Quotient(a, b, call); });
}

Contents Mod(const NodeView& call) {
  if (call.Int("fmod", 0) != 0) return std::nullopt;
  return Combined(call, [](const Dim& a, const Dim& b) { return Dim::Mod(a, b); });
}

Contents Min(const NodeView& call) {
  return Combined(call, [](const Dim& a, const Dim& b) { return Dim::Min(a, b); });
}

Contents Max(const NodeView& call) {
  return Combined(call, [](const Dim& a, const Dim& b) { return Dim::Max(a, b); });
}

Contents Neg(const NodeView& call) {
  const Dims* data = call.Elements(0);
  if (!data) return std::nullopt;
  Dims out;
  for (const Dim& dim : *data) out.push_back(Dim(0) - dim);
  return out;
}

Contents Range(const NodeView& call) {
  const auto start = call.Numbers(0);
  const auto limit = call.Numbers(1);
  const auto delta = call.Numbers(2);
  if (!start || !limit || !delta || (*delta)[0] == 0) return std::nullopt;
  Dims out;
  int64_t at = (*start)[0];
  // A sum that overflows is past any limit.
  while ((*delta)[0] > 0 ? at < (*limit)[0] : at > (*limit)[0]) {
    if (out.size() == kMaxElements) return std::nullopt;
    out.push_back(Dim(at));
    if (__builtin_add_overflow(at, (*delta)[0], &at)) break;
  }
  return out;
}

Contents ReduceProd(const NodeView& call) {
  return Reduce(call, [](const Dim& a, const Dim& b) { return a * b; });
}

Contents ReduceSum(const NodeView& call) {
  return Reduce(call, [](const Dim& a, const Dim& b) { return a + b; });
}

}  // namespace contents

std::optional<Dims> PropagateContents(const OpFacts& facts, const NodeView& node, const InferredType& result) {
  if (facts.contents == nullptr || (result.dtype != DType::kInt64 && result.dtype != DType::kInt32))
    return std::nullopt;
  if (!result.dims || result.dims->size() > 1) return std::nullopt;
  Contents contents = facts.contents(node);
  if (!contents || contents->size() > kMaxElements) return std::nullopt;
  // A rule that gives two elements for a 0-d tensor misunderstood the node, so its result is dropped.
  if (result.dims->empty() && contents->size() != 1) return std::nullopt;
  if (result.dtype == DType::kInt32) ForgetOverflow(&*contents);
  return contents;
}

}  // namespace onnxport::onnx_ops
