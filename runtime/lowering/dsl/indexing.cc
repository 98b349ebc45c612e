// `x[a, :, mask]`: integer tensors and masks are broadcast together and replace the axes that they index. If these axes
// are adjacent, the new axes are in their place, otherwise at the front. This is NumPy's rule, and PyTorch follows it.
// GatherND and similar operators need the indexed axes first, so everything is transposed to there and back.
#include "runtime/lowering/dsl/indexing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>

#include "runtime/lowering/build/emitter.h"
#include "runtime/lowering/build/tensor.h"

namespace onnxport::lowering {
namespace {

constexpr int64_t kMostIndices = int64_t{2} << 20;  // size of a weight that is searched for each use

Val Unsqueeze(Context& context, const Val& x, int64_t axis) {
  return context.op("Unsqueeze", {x}, {{"axes", Vals{axis}}});
}

// The sign of an int64 is in the last of its eight bytes.
bool NoneNegative(const ir::TensorData& data) {
  int64_t count = 1;
  for (const int64_t size : data.shape) {
    if (__builtin_mul_overflow(count, size, &count) || count > kMostIndices) return false;
  }
  bool good = true;
  uint64_t at = 0;
  data.bytes->Stream([&](std::span<const std::byte> piece) {
    for (size_t i = 7 - at % 8; i < piece.size(); i += 8) good = good && (piece[i] & std::byte{0x80}) == std::byte{0};
    at += piece.size();
  });
  return good;
}

// Returns true if all contents are known and not negative.
bool KnownNotNegative(const Tensor& tensor) {
  const auto data = tensor.emitter->facts().DataOf(tensor.id);
  // Weights are read again for each use. Otherwise the model would have a Less and an Add for each element, in every
  // run.
  if (data && data->dtype == DType::kInt64) return NoneNegative(*data);
  const auto& contents = ValueOf(tensor).contents;
  if (!contents) return false;
  return std::ranges::all_of(*contents, [&](const ir::Dim& dim) {
    const ir::Range range = RunBounds(dim, tensor.emitter->graph().ranges);
    return range.min && *range.min >= 0;
  });
}

// Returns true if the dims are equal numbers, or equal symbols.
bool SameDims(const Val& a, const Val& b) {
  const auto& left = ValueOf(a.AsTensor()).dims;
  const auto& right = ValueOf(b.AsTensor()).dims;
  return left && right && *left == *right;
}

}  // namespace

Indexing::Indexing(Context* context, const Val& self, const Val& indices) : context_(*context), self_(self) {
  const int64_t self_rank = rank(self).AsInt();
  int64_t dim = 0;
  for (const Val& index : indices.AsList()) {
    if (dim >= self_rank)
      throw Refusal(Code::kIndexIsOutside,
                    fmt::format("more indices than the {} dimensions of {}", self_rank, self.ToString()));
    // The order of these checks matters: a mask takes as many axes as it has, an integer index takes one. uint8 is a
    // mask in PyTorch, for programs older than its bool.
    if (index.is_none()) {
      rest_.push_back(dim++);
    } else if (is_bool(index) || dtype(index) == DType::kUInt8) {
      AddMask(index, dim);
      dim += rank(index).AsInt();
    } else {
      if (!is_int(index)) throw Refusal(fmt::format("{} is no index", index.ToString()));
      Add(cast(index, DType::kInt64), dim++, KnownNotNegative(index.AsTensor()));
    }
  }
  if (dim > self_rank)
    throw Refusal(Code::kIndexIsOutside,
                  fmt::format("more indices than the {} dimensions of {}", self_rank, self.ToString()));
  for (; dim < self_rank; ++dim) rest_.push_back(dim);
  for (size_t i = 1; i < at_.size(); ++i) adjacent_ = adjacent_ && at_[i] == at_[i - 1] + 1;
}

void Indexing::Add(const Val& index, int64_t dim, bool not_negative) {
  at_.push_back(dim);
  indices_.push_back(index);
  not_negative_.push_back(not_negative);
}

void Indexing::AddMask(const Val& mask, int64_t dim) {
  const int64_t mask_rank = rank(mask).AsInt();
  if (mask_rank == 0) throw Refusal("an index that is a 0-d mask is not exported");
  const Val places = context_.op("NonZero", {cast(mask, DType::kBool)});  // [r, count]
  for (int64_t i = 0; i < mask_rank; ++i) {
    const Val row =
        mask_rank == 1 ? context_.op("Reshape", {places, Vals{-1}}) : context_.op("Gather", {places, i}, {{"axis", 0}});
    Add(row, dim + i, true);
  }
}

int64_t Indexing::rank_of_b() const {
  int64_t most = 0;
  for (const Val& index : indices_) most = std::max(most, rank(index).AsInt());
  return most;
}

Val Indexing::perm() const {
  Vals out(at_.begin(), at_.end());
  out.insert(out.end(), rest_.begin(), rest_.end());
  return out;
}

// i + size if i is negative, without Where and integer comparisons, which old opsets lack.
Val Indexing::Normal(size_t i) const {
  if (not_negative_[i]) return indices_[i];
  const Val negative = context_.op("Less", {cast(indices_[i], DType::kFloat32), 0.0});
  return indices_[i] + cast(negative, DType::kInt64) * dim(self_, at_[i]);
}

Vals Indexing::Broadcast(Vals tensors) const {
  const bool same = std::ranges::all_of(tensors, [&](const Val& t) { return SameDims(t, tensors[0]); });
  // Only Add broadcasts integers at every opset. The shape of its result is used, its values are not.
  if (same) return tensors;
  Val total = tensors[0];
  for (size_t i = 1; i < tensors.size(); ++i) total = context_.op("Add", {total, tensors[i]});
  for (Val& tensor : tensors) {
    if (!SameDims(tensor, total)) tensor = context_.op("Expand", {tensor, context_.op("Shape", {total})});
  }
  return tensors;
}

Val Indexing::Tuples(bool normal) const {
  Vals tensors;
  for (size_t i = 0; i < indices_.size(); ++i) tensors.push_back(normal ? Normal(i) : indices_[i]);
  tensors = Broadcast(std::move(tensors));
  const int64_t last = rank_of_b();
  for (Val& tensor : tensors) tensor = Unsqueeze(context_, tensor, last);
  if (tensors.size() == 1) return tensors[0];
  return context_.op("Concat", {Splat(tensors)}, {{"axis", last}});
}

Val Indexing::Flat() const {
  Val flat = Normal(0);
  for (size_t i = 1; i < indices_.size(); ++i) {
    flat = context_.op("Add", {context_.op("Mul", {flat, dim(self_, at_[i])}), Normal(i)});
  }
  return flat;
}

Val Indexing::to_result() const {
  // With no axes in front of the indexed ones, they are in place already. None means that no Transpose is needed.
  if (before() == 0) return {};
  const auto b = static_cast<int64_t>(rank_of_b());
  const auto first = static_cast<int64_t>(before());
  const auto total = b + static_cast<int64_t>(rest_.size());
  return range(b, b + first) + range(b) + range(b + first, total);
}

Val Indexing::from_result() const {
  const Val forth = to_result();
  return forth.is_none() ? forth : inverse_perm(forth);
}

}  // namespace onnxport::lowering
