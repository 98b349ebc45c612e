#include "runtime/model/passes/weights/transposed_tensor.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "runtime/model/passes/weights/element_blocks.h"
#include "runtime/model/passes/weights/transpose_tile.h"

namespace onnxport::passes {
namespace {

using ir::ByteSink;

// Bytes of the result in memory at a time, unless its rows are longer. Two threads may each hold as much.
constexpr int64_t kHeldBytes = int64_t{20} << 20;
// Bytes of each row of the result that are written together: a cache line.
constexpr int64_t kLineBytes = 64;
// The least number of source rows that are moved together, if so many arrive at once.
constexpr int64_t kFewRows = 8;

// Consecutive matrices, each of rows x columns items of so many bytes.
struct Matrices {
  int64_t count = 1;
  int64_t rows = 1;
  int64_t columns = 1;
  int64_t item = 1;

  int64_t bytes() const { return count * rows * columns * item; }
};

// A run of axes that stay neighbours, in the order of the result: its first axis, and its number of elements.
struct Run {
  int64_t first = 0;
  int64_t size = 1;
};

std::vector<Run> RunsOf(const std::vector<int64_t>& shape, const std::vector<int64_t>& perm) {
  std::vector<Run> runs;
  int64_t next = -1;  // the axis that would continue the last run
  for (const int64_t axis : perm) {
    const int64_t size = shape[static_cast<size_t>(axis)];
    if (size == 1) continue;
    if (axis == next) {
      runs.back().size *= size;
    } else {
      runs.push_back({axis, size});
    }
    next = axis + 1;
    while (next < static_cast<int64_t>(shape.size()) && shape[static_cast<size_t>(next)] == 1) ++next;
  }
  return runs;
}

// Nothing for a permutation that does more than transpose matrices. A run that stays in front counts matrices, one that
// stays at the end makes items longer, and the two others are exchanged. Shape [8, 3, 5, 2], order (0, 2, 1, 3): 8
// matrices of 3 rows and 5 columns, with items of two elements.
std::optional<Matrices> AsMatrices(const std::vector<int64_t>& shape, const std::vector<int64_t>& perm, int64_t item) {
  std::vector<Run> runs = RunsOf(shape, perm);
  Matrices result{.item = item};
  const auto is_first = [&](const Run& run) {
    return std::ranges::none_of(runs, [&](const Run& other) { return other.first < run.first; });
  };
  const auto is_last = [&](const Run& run) {
    return std::ranges::none_of(runs, [&](const Run& other) { return other.first > run.first; });
  };
  if (!runs.empty() && is_first(runs.front())) {
    result.count = runs.front().size;
    runs.erase(runs.begin());
  }
  if (!runs.empty() && is_last(runs.back())) {
    result.item *= runs.back().size;
    runs.pop_back();
  }
  if (runs.empty()) return result;
  if (runs.size() != 2) return std::nullopt;
  result.rows = runs[1].size;
  result.columns = runs[0].size;
  return result;
}

class TransposedBytes : public ir::TensorBytes {
 public:
  TransposedBytes(std::shared_ptr<const ir::TensorData> source, const Matrices& matrices, int64_t held)
      : source_(std::move(source)), matrices_(matrices), held_(held) {}

  void Stream(const ByteSink& sink) const override { StreamRows(0, matrices_.count * matrices_.columns, sink); }
  // Reads all of the source, and only once if the rows of the result in this range fit the buffer.
  void StreamRange(int64_t begin, int64_t size, const ByteSink& sink) const override {
    const ElementRange rows(begin, size, matrices_.rows * matrices_.item);
    StreamRows(rows.first, rows.first + rows.count, Clipped(rows.skipped, size, sink));
  }

 private:
  // Rows [begin, rows) of the result.
  void StreamRows(int64_t begin, int64_t rows, const ByteSink& sink) const {
    const int64_t row = matrices_.rows * matrices_.item;  // of the result
    const int64_t fit = std::max<int64_t>(std::min(held_, kHeldBytes) / row, 1);
    // Not cleared: all of it is written.
    const auto part =
        std::make_unique_for_overwrite<std::byte[]>(static_cast<size_t>(std::min(fit, rows - begin) * row));
    // A row of the result is a column of the source, whose items are spread over it. Each part that fits the buffer
    // takes one reading of the whole source. A matrix of 320 MiB takes ten.
    for (int64_t first = begin; first < rows; first += fit) {
      const int64_t end = std::min(first + fit, rows);
      if (!Read(first, end, part.get())) return;  // too few bytes, which who writes them sees
      sink({part.get(), static_cast<size_t>((end - first) * row)});
    }
  }

  // Makes rows [first, end) of the result. Returns false if the source is shorter than it should be.
  bool Read(int64_t first, int64_t end, std::byte* out) const {
    const size_t row = from_row();
    const size_t most = BandRows();
    std::vector<std::byte> band;  // rows that come in pieces
    int64_t at = 0;               // rows of the source that were moved
    const auto move = [&](const std::byte* rows, size_t count) {
      Move(rows, at, static_cast<int64_t>(count), first, end, out);
      at += static_cast<int64_t>(count);
    };
    source_->bytes->Stream([&](std::span<const std::byte> block) {
      while (!block.empty()) {
        const auto left = static_cast<size_t>(matrices_.rows - at % matrices_.rows);  // rows of the matrix
        const size_t whole = std::min(most, left);
        size_t take = std::min(block.size() / row, whole);
        if (band.empty() && take >= std::min(whole, size_t{kFewRows})) {
          move(block.data(), take);
          take *= row;
        } else {
          take = std::min(block.size(), whole * row - band.size());
          band.insert(band.end(), block.begin(), block.begin() + static_cast<ptrdiff_t>(take));
          if (band.size() == whole * row) {
            move(band.data(), whole);
            band.clear();
          }
        }
        block = block.subspan(take);
      }
    });
    return at == matrices_.count * matrices_.rows;
  }

  // The number of source rows that are moved together, if they fit a buffer.
  size_t BandRows() const {
    const int64_t wanted = std::max(kLineBytes / matrices_.item, kFewRows);
    return static_cast<size_t>(std::clamp<int64_t>(held_ / (matrices_.columns * matrices_.item), 1, wanted));
  }

  // Moves `count` rows of the source from row `at` on, all of one matrix, to their places in rows [first, end).
  void Move(const std::byte* band, int64_t at, int64_t count, int64_t first, int64_t end, std::byte* out) const {
    const int64_t before = at / matrices_.rows * matrices_.columns;  // rows of the result, of matrices before this
    const int64_t begin_column = std::clamp<int64_t>(first - before, 0, matrices_.columns);
    const int64_t end_column = std::clamp<int64_t>(end - before, 0, matrices_.columns);
    if (begin_column == end_column) return;
    const int64_t row = at % matrices_.rows;
    std::byte* to = out + ((before + begin_column - first) * matrices_.rows + row) * matrices_.item;
    const std::byte* from = band + begin_column * matrices_.item;
    const int64_t columns = end_column - begin_column;
    const Block block = {from, to, static_cast<size_t>(count), static_cast<size_t>(columns)};
    switch (matrices_.item) {
      case 1:
        return MoveTiles<uint8_t>(block);
      case 2:
        return MoveTiles<uint16_t>(block);
      case 4:
        return MoveTiles<uint32_t>(block);
      case 8:
        return MoveTiles<uint64_t>(block);
      default:
        return MoveItems<0>(block);
    }
  }

  // Rows and columns of the source, and the place of the first item.
  struct Block {
    const std::byte* from;
    std::byte* to;
    size_t rows;
    size_t columns;
  };

  Block Part(const Block& block, size_t row, size_t column) const {
    const auto item = static_cast<size_t>(matrices_.item);
    return {block.from + row * from_row() + column * item, block.to + column * to_row() + row * item, block.rows - row,
            block.columns - column};
  }

  // Moves whole tiles, and the rest at two edges item by item.
  template <typename T>
  void MoveTiles(const Block& block) const {
    constexpr size_t kSide = kTileSide<T>;
    const size_t rows = block.rows / kSide * kSide;
    const size_t columns = block.columns / kSide * kSide;
    // Down the rows first, so that a row of the result gets a cache line at a time.
    for (size_t column = 0; column < columns; column += kSide) {
      for (size_t row = 0; row < rows; row += kSide) {
        const Block tile = Part(block, row, column);
        TransposeTile<T>(tile.from, from_row(), tile.to, to_row());
      }
    }
    Block below = Part(block, rows, 0);
    below.columns = columns;
    MoveItems<sizeof(T)>(below);
    MoveItems<sizeof(T)>(Part(block, 0, columns));
  }

  // kItem 0: as many bytes as an item has.
  template <size_t kItem>
  void MoveItems(const Block& block) const {
    const size_t size = kItem == 0 ? static_cast<size_t>(matrices_.item) : kItem;
    for (size_t column = 0; column < block.columns; ++column) {
      for (size_t row = 0; row < block.rows; ++row) {
        const Block item = Part(block, row, column);
        std::memcpy(item.to, item.from, size);
      }
    }
  }

  size_t from_row() const { return static_cast<size_t>(matrices_.columns * matrices_.item); }
  size_t to_row() const { return static_cast<size_t>(matrices_.rows * matrices_.item); }

  std::shared_ptr<const ir::TensorData> source_;
  Matrices matrices_;
  int64_t held_;
};

bool Fits(const Matrices& matrices, const TransposeLimits& limits) {
  // One row of either side must fit its buffer, because otherwise not even one column could be gathered.
  const int64_t longest = std::max(matrices.rows, matrices.columns) * matrices.item;
  if (longest > limits.held) return false;
  const int64_t fit = limits.held / (matrices.rows * matrices.item);
  return (matrices.count * matrices.columns - 1) / fit < limits.readings;
}

}  // namespace

std::shared_ptr<const ir::TensorData> TransposedTensor(const std::shared_ptr<const ir::TensorData>& source,
                                                       const std::vector<int64_t>& perm,
                                                       const TransposeLimits& limits) {
  const int64_t item = ir::ByteSize(source->dtype);
  const std::optional<Matrices> matrices = item > 0 ? AsMatrices(source->shape, perm, item) : std::optional<Matrices>();
  if (!matrices) return nullptr;
  auto result = std::make_shared<ir::TensorData>();
  result->dtype = source->dtype;
  for (const int64_t axis : perm) result->shape.push_back(source->shape[static_cast<size_t>(axis)]);
  if (matrices->rows == 1 || matrices->columns == 1 || matrices->bytes() == 0) {
    result->bytes = source->bytes;
  } else if (Fits(*matrices, limits)) {
    result->bytes = std::make_shared<TransposedBytes>(source, *matrices, limits.held);
  } else {
    return nullptr;
  }
  return result;
}

}  // namespace onnxport::passes
