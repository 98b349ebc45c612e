#include "runtime/model/passes/packed/element_map.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace onnxport::passes {
namespace {

int64_t At(const std::vector<int64_t>& offsets, int64_t index) {
  return offsets.empty() ? 0 : offsets[static_cast<size_t>(index)];
}

}  // namespace

ElementMap::ElementMap(const Numbers& shape) : axes_(shape.size()) {
  int64_t stride = 1;
  for (size_t axis = shape.size(); axis-- > 0; stride *= shape[axis]) {
    Numbers offsets;
    for (int64_t i = 0; i < shape[axis]; ++i) offsets.push_back(i * stride);
    axes_[axis] = MakeAxis(std::move(offsets));
  }
}

const ElementMap::Numbers& ElementMap::Axis::offsets() const {
  static const Numbers kNone;
  return shared == nullptr ? kNone : shared->numbers;
}

ElementMap::Axis ElementMap::Share(Numbers offsets) {
  const auto size = std::ssize(offsets);
  Charge held(offsets.size() * sizeof(int64_t));
  return {.size = size, .shared = std::make_shared<const Offsets>(Offsets{std::move(offsets), std::move(held)})};
}

ElementMap::Axis ElementMap::MakeAxis(Numbers offsets) {
  const int64_t first = offsets[0];
  start_ += first;
  if (std::ranges::all_of(offsets, [first](int64_t offset) { return offset == first; }))
    return {.size = std::ssize(offsets)};
  for (int64_t& offset : offsets) offset -= first;
  return Share(std::move(offsets));
}

ElementMap::Numbers ElementMap::Shape() const {
  Numbers shape;
  for (const Axis& axis : axes_) shape.push_back(axis.size);
  return shape;
}

int64_t ElementMap::Place(std::span<const int64_t> indices) const {
  int64_t place = start_;
  for (size_t axis = 0; axis < indices.size(); ++axis) place += At(axes_[axis].offsets(), indices[axis]);
  return place;
}

int64_t ElementMap::RunAlong(size_t axis) const {
  const Numbers& offsets = axes_[axis].offsets();
  int64_t run = 0;
  for (size_t i = 1; i < offsets.size(); ++i) {
    if (offsets[i] != offsets[i - 1]) run = std::gcd(run, static_cast<int64_t>(i));
  }
  return run == 0 ? axes_[axis].size : run;
}

void ElementMap::Transpose(const onnx_ops::Perm& perm) {
  std::vector<Axis> ordered;
  for (const int64_t axis : perm) ordered.push_back(std::move(axes_[static_cast<size_t>(axis)]));
  axes_ = std::move(ordered);
}

void ElementMap::Take(size_t axis, std::span<const int64_t> indices) {
  Numbers taken;
  taken.reserve(indices.size());
  for (const int64_t index : indices) taken.push_back(At(axes_[axis].offsets(), index));
  axes_[axis] = MakeAxis(std::move(taken));
}

bool ElementMap::Broadcast(const Numbers& shape) {
  if (shape.size() < axes_.size()) return false;
  axes_.insert(axes_.begin(), shape.size() - axes_.size(), Axis());
  for (size_t i = 0; i < shape.size(); ++i) {
    if (axes_[i].size != shape[i] && axes_[i].size != 1) return false;
    axes_[i].size = shape[i];
  }
  return true;
}

// Axes are joined and split in the shortest possible runs: from [32, 8, 512] to [8, 32, 512] only the first two.
bool ElementMap::Reshape(const Numbers& shape) {
  const Numbers before = Shape();
  std::vector<Axis> axes;
  size_t i = 0;
  size_t j = 0;
  while (i < before.size() || j < shape.size()) {
    const size_t first = i;
    const size_t first_cut = j;
    int64_t joined = i < before.size() ? before[i++] : 1;
    int64_t cut = j < shape.size() ? shape[j++] : 1;
    while (joined != cut) {
      if (joined < cut ? i == before.size() : j == shape.size()) return false;
      int64_t* smaller = joined < cut ? &joined : &cut;
      if (__builtin_mul_overflow(*smaller, joined < cut ? before[i++] : shape[j++], smaller)) return false;
    }
    if (i - first == 1 && j - first_cut == 1) {
      axes.push_back(std::move(axes_[first]));
      continue;
    }
    const Axis whole = Joined(first, i);
    if (whole.size != joined || !Cut(whole, std::span(shape).subspan(first_cut, j - first_cut), &axes)) return false;
  }
  axes_ = std::move(axes);
  return true;
}

// One of size 0 when it would be too large.
ElementMap::Axis ElementMap::Joined(size_t begin, size_t end) const {
  Axis joined;
  for (size_t i = begin; i < end; ++i) {
    const Axis& axis = axes_[i];
    const int64_t size = joined.size * axis.size;
    if (joined.offsets().empty() && axis.offsets().empty()) {
      joined.size = size;
      continue;
    }
    if (size > kMostOffsets) return {.size = 0};
    Numbers offsets;
    offsets.reserve(static_cast<size_t>(size));
    for (int64_t outer = 0; outer < joined.size; ++outer)
      for (int64_t inner = 0; inner < axis.size; ++inner)
        offsets.push_back(At(joined.offsets(), outer) + At(axis.offsets(), inner));
    joined = Share(std::move(offsets));
  }
  return joined;
}

// From the outermost axis on: the offset of an index is the place where all other indices are 0. The sums must then
// match all places.
bool ElementMap::Cut(const Axis& joined, std::span<const int64_t> sizes, std::vector<Axis>* axes) {
  const size_t first = axes->size();
  int64_t stride = joined.size;
  for (const int64_t size : sizes) {
    stride /= size;
    if (joined.offsets().empty()) {
      axes->push_back({.size = size});
      continue;
    }
    Numbers offsets;
    for (int64_t i = 0; i < size; ++i) offsets.push_back(At(joined.offsets(), i * stride));
    axes->push_back(MakeAxis(std::move(offsets)));
  }
  for (int64_t i = 0; i < std::ssize(joined.offsets()); ++i) {
    int64_t sum = 0;
    int64_t left = i;
    for (size_t k = sizes.size(); k-- > 0; left /= sizes[k]) sum += At((*axes)[first + k].offsets(), left % sizes[k]);
    if (sum != At(joined.offsets(), i)) return false;
  }
  return true;
}

}  // namespace onnxport::passes
