#include "runtime/model/passes/weights/byte_layout.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "runtime/base/memory_budget.h"

namespace onnxport::passes {
namespace {

using ir::ByteSink;

// A slice of an inner axis has a range for each row. [:, :3] of a weight of 4096 rows has 4096 ranges, and reading each
// alone would take longer than the Slice that it saves.
constexpr size_t kMostRanges = 256;
// Some sources cannot read a part alone. If such a source has several ranges, it is read once and kept while these are
// put in order, up to so many bytes in all. The others are read for each range.
constexpr int64_t kMostKept = int64_t{32} << 20;

int64_t Count(const std::vector<int64_t>& shape, size_t first, size_t last) {
  int64_t count = 1;
  for (size_t axis = first; axis < last; ++axis) count *= shape[axis];
  return count;
}

int64_t SizeOf(const ByteLayout& layout) {
  return Count(layout.shape, 0, layout.shape.size()) * ir::ByteSize(layout.dtype);
}

// Merges consecutive ranges of one source.
void Append(ByteRange range, std::vector<ByteRange>* ranges) {
  if (range.size == 0) return;
  if (!ranges->empty()) {
    ByteRange& last = ranges->back();
    if (last.source == range.source && last.begin + last.size == range.begin) {
      last.size += range.size;
      return;
    }
  }
  ranges->push_back(range);
}

// Appends bytes [begin, begin + size) of the ranges.
void AppendPart(const std::vector<ByteRange>& ranges, int64_t begin, int64_t size, std::vector<ByteRange>* result) {
  int64_t at = 0;
  for (const ByteRange& range : ranges) {
    const int64_t from = std::max(begin, at);
    const int64_t to = std::min(begin + size, at + range.size);
    if (from < to) Append({range.source, range.begin + from - at, to - from}, result);
    at += range.size;
  }
}

class AssembledBytes : public ir::TensorBytes {
 public:
  AssembledBytes(std::vector<ByteRange> ranges, std::vector<std::shared_ptr<const ir::TensorData>> sources)
      : ranges_(std::move(ranges)), sources_(std::move(sources)) {}

  void Stream(const ByteSink& sink) const override { StreamAll(ranges_, sink); }
  void StreamRange(int64_t begin, int64_t size, const ByteSink& sink) const override {
    std::vector<ByteRange> part;
    AppendPart(ranges_, begin, size, &part);
    StreamAll(part, sink);
  }
  bool has_ranges() const override {
    return std::ranges::all_of(sources_, [](const auto& source) { return source->bytes->has_ranges(); });
  }

 private:
  void StreamAll(const std::vector<ByteRange>& ranges, const ByteSink& sink) const {
    const std::set<size_t> keep = ToKeep(ranges);
    std::map<size_t, std::vector<std::byte, BudgetAllocator<std::byte>>> kept;
    for (const ByteRange& range : ranges) {
      const ir::TensorBytes& source = *sources_[range.source]->bytes;
      if (!keep.contains(range.source)) {
        source.StreamRange(range.begin, range.size, sink);
        continue;
      }
      const auto [entry, fresh] = kept.try_emplace(range.source);
      auto& bytes = entry->second;
      if (fresh) {
        bytes.reserve(static_cast<size_t>(SizeOfSource(range.source)));
        source.Stream([&](std::span<const std::byte> block) { bytes.insert(bytes.end(), block.begin(), block.end()); });
      }
      sink(std::span(bytes).subspan(static_cast<size_t>(range.begin), static_cast<size_t>(range.size)));
    }
  }

  int64_t SizeOfSource(size_t source) const {
    const ir::TensorData& data = *sources_[source];
    return Count(data.shape, 0, data.shape.size()) * ir::ByteSize(data.dtype);
  }

  // Sources to read once: the first ones that fit.
  std::set<size_t> ToKeep(const std::vector<ByteRange>& ranges) const {
    std::set<size_t> seen;
    std::set<size_t> keep;
    int64_t room = kMostKept;
    for (const ByteRange& range : ranges) {
      if (sources_[range.source]->bytes->has_ranges()) continue;
      if (seen.insert(range.source).second || keep.contains(range.source)) continue;
      const int64_t size = SizeOfSource(range.source);
      if (size > room) continue;
      room -= size;
      keep.insert(range.source);
    }
    return keep;
  }

  std::vector<ByteRange> ranges_;
  std::vector<std::shared_ptr<const ir::TensorData>> sources_;
};

}  // namespace

ByteLayout WholeTensor(size_t source, const ir::TensorData& data) {
  ByteLayout layout{.dtype = data.dtype, .shape = data.shape, .ranges = {}};
  Append({source, 0, SizeOf(layout)}, &layout.ranges);
  return layout;
}

// `outer` blocks of the axes before, each with the rows [begin, end) of `inner` bytes. For float32[2, 4], [:, 1:3] is
// (4, 8) and (20, 8) as (begin, size).
std::optional<ByteLayout> SliceLayout(const ByteLayout& layout, size_t axis, int64_t begin, int64_t end) {
  ByteLayout result{.dtype = layout.dtype, .shape = layout.shape, .ranges = {}};
  result.shape[axis] = end - begin;
  const int64_t outer = Count(layout.shape, 0, axis);
  const int64_t inner = Count(layout.shape, axis + 1, layout.shape.size()) * ir::ByteSize(layout.dtype);
  for (int64_t i = 0; i < outer; ++i) {
    AppendPart(layout.ranges, (i * layout.shape[axis] + begin) * inner, (end - begin) * inner, &result.ranges);
    if (result.ranges.size() > kMostRanges) return std::nullopt;
  }
  return result;
}

std::optional<ByteLayout> ConcatLayouts(const std::vector<const ByteLayout*>& parts, size_t axis) {
  ByteLayout result{.dtype = parts[0]->dtype, .shape = parts[0]->shape, .ranges = {}};
  result.shape[axis] = 0;
  for (const ByteLayout* part : parts) result.shape[axis] += part->shape[axis];
  const int64_t outer = Count(result.shape, 0, axis);
  const int64_t inner = Count(result.shape, axis + 1, result.shape.size()) * ir::ByteSize(result.dtype);
  for (int64_t i = 0; i < outer; ++i) {
    for (const ByteLayout* part : parts) {
      const int64_t size = part->shape[axis] * inner;
      AppendPart(part->ranges, i * size, size, &result.ranges);
    }
    if (result.ranges.size() > kMostRanges) return std::nullopt;
  }
  return result;
}

std::shared_ptr<const ir::TensorData> AssembleTensor(
    const ByteLayout& layout, const std::vector<std::shared_ptr<const ir::TensorData>>& sources) {
  auto data = std::make_shared<ir::TensorData>();
  data->dtype = layout.dtype;
  data->shape = layout.shape;
  data->bytes = std::make_shared<AssembledBytes>(layout.ranges, sources);
  return data;
}

}  // namespace onnxport::passes
