#include "runtime/model/passes/graph/axis_map.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <string>

namespace onnxport::passes {
namespace {

using onnx_ops::Perm;

using ir::Dim;

const Dim kOne(1);

// The size that times `b` is `a`; nothing if there is none, or none was found. `8*s0` by `s0` is 8: with 1 for every
// symbol, the guess is 8 // 1. By `8` it is s0, which is no number, and the second try finds it. In both cases
// `quotient * b == a` proves it.
std::optional<Dim> Quotient(const Dim& a, const Dim& b) {
  if (a == b) return kOne;
  std::map<std::string, Dim> ones;
  for (const Dim* dim : {&a, &b})
    for (const std::string& symbol : dim->symbols()) ones.emplace(symbol, kOne);
  // A guess of a number, and the expression; both are tried.
  const Dim guess = Dim::FloorDiv(a.Substitute(ones), b.Substitute(ones));
  for (const Dim& quotient : {guess, Dim::FloorDiv(a, b)}) {
    if (quotient.is_number() && quotient.number() <= 1) continue;
    if (quotient * b == a) return quotient;
  }
  return std::nullopt;
}

AxisMap::Axis Flat(const AxisMap::Axes& axes) {
  AxisMap::Axis flat;
  for (const AxisMap::Axis& axis : axes) flat.insert(flat.end(), axis.begin(), axis.end());
  return flat;
}

// An empty axis cannot be divided: if [0, 4] is made from [0, 7], the origin of the 4 is unknown.
bool IsUsable(const Dim& size) { return !size.is_unknown() && !(size.is_number() && size.number() < 1); }

}  // namespace

AxisMap::AxisMap(const ir::Dims& result) {
  for (const Dim& size : result) {
    Axis& axis = result_.emplace_back();
    if (size == kOne) continue;
    axis.push_back(sizes_.size());
    sizes_.push_back(size);
  }
  source_ = result_;
}

bool AxisMap::ThroughTranspose(const Perm& perm) {
  if (perm.size() != source_.size()) return false;
  Axes operand(perm.size());
  for (size_t i = 0; i < perm.size(); ++i) operand[static_cast<size_t>(perm[i])] = source_[i];
  source_ = std::move(operand);
  return true;
}

// Assigns the factors to the operand's axes, from the outermost. For [n, 6] made from [n, 2, 3], the factors are n and
// 6. The axis 2 takes part of 6, which is split into 2 and 3 in source and result, and the axis 3 takes the rest.
bool AxisMap::ThroughReshape(const ir::Dims& operand) {
  const Axis flat = Flat(source_);
  std::deque<size_t> left(flat.begin(), flat.end());
  Axes axes;
  for (const Dim& size : operand) {
    Axis& axis = axes.emplace_back();
    for (Dim rest = size; !(rest == kOne);) {
      if (left.empty() || !IsUsable(rest) || !IsUsable(sizes_[left.front()])) return false;
      const size_t factor = left.front();
      left.pop_front();
      axis.push_back(factor);
      if (const std::optional<Dim> more = Quotient(rest, sizes_[factor])) {
        rest = *more;
      } else if (const std::optional<Dim> inner = Quotient(sizes_[factor], rest)) {
        left.push_front(Split(factor, rest, *inner));
        rest = kOne;
      } else {
        return false;
      }
    }
  }
  source_ = std::move(axes);
  return left.empty();
}

size_t AxisMap::Split(size_t factor, const Dim& outer, const Dim& inner) {
  const size_t added = sizes_.size();
  sizes_[factor] = outer;
  sizes_.push_back(inner);
  for (Axis& axis : result_) {
    const auto found = std::ranges::find(axis, factor);
    if (found != axis.end()) axis.insert(found + 1, added);
  }
  return added;
}

bool AxisMap::IsReshape() const { return Flat(source_) == Flat(result_); }

// Two axes of size 1 have no factors and look alike; `taken` assigns each to one axis of the result.
std::optional<Perm> AxisMap::AsTranspose() const {
  if (source_.size() != result_.size()) return std::nullopt;
  Perm perm;
  std::vector<bool> taken(source_.size());
  for (const Axis& axis : result_) {
    size_t from = 0;
    while (from < source_.size() && (taken[from] || source_[from] != axis)) ++from;
    if (from == source_.size()) return std::nullopt;
    taken[from] = true;
    perm.push_back(static_cast<int64_t>(from));
  }
  return perm;
}

// Axes of size 1 come last; a Reshape puts them into their places.
std::optional<Perm> AxisMap::TransposeBeforeReshape() const {
  Perm perm;
  const Axis flat = Flat(result_);
  for (auto at = flat.begin(); at != flat.end();) {
    const auto next = std::ranges::find_if(source_, [&](const Axis& axis) { return !axis.empty() && axis[0] == *at; });
    if (next == source_.end() || flat.end() - at < std::ssize(*next) || !std::equal(next->begin(), next->end(), at))
      return std::nullopt;
    perm.push_back(next - source_.begin());
    at += std::ssize(*next);
  }
  for (size_t i = 0; i < source_.size(); ++i)
    if (source_[i].empty()) perm.push_back(static_cast<int64_t>(i));
  return perm;
}

}  // namespace onnxport::passes
