#include "runtime/model/passes/transposed_tensor.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

namespace onnxport::passes {
namespace {

constexpr int64_t kBand = 16;  // rows that are moved together, so that what is written is some cache line long

// Matrices one after another, each of rows x columns items of so many bytes.
struct Matrices {
  int64_t count = 1;
  int64_t rows = 1;
  int64_t columns = 1;
  int64_t item = 1;

  int64_t bytes() const { return count * rows * columns * item; }
};

// A run of axes that stay neighbours, in the order of the result: the first of them, and how many elements they have.
struct Run {
  int64_t first = 0;
  int64_t size = 1;
};

std::vector<Run> RunsOf(const std::vector<int64_t>& shape, const std::vector<int64_t>& perm) {
  std::vector<Run> runs;
  int64_t next = -1;  // that would go on with the last run
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

// Nothing for a permutation that does more than to transpose matrices.
// A run that stays in front counts matrices, one that stays at the end makes items longer, and two must be left, which
// are exchanged. Shape [8, 3, 5, 2], order (0, 2, 1, 3): 8 matrices of 3 rows and 5 columns, of items of two elements.
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

  void Stream(const std::function<void(std::span<const std::byte>)>& sink) const override {
    const int64_t row = matrices_.rows * matrices_.item;  // of the result
    const int64_t rows = matrices_.count * matrices_.columns;
    const int64_t fit = held_ / row;
    std::vector<std::byte> part;
    // A row of the result is a column of the source, whose items lie all over it: each part that fits the buffer takes
    // one reading of the whole source. A matrix of 320 MiB takes ten.
    for (int64_t first = 0; first < rows; first += fit) {
      const int64_t end = std::min(first + fit, rows);
      part.resize(static_cast<size_t>((end - first) * row));
      if (!Read(first, end, part.data())) return;  // too few bytes, which who writes them sees
      sink(part);
    }
  }

 private:
  // Rows [first, end) of the result; false when the source is shorter than it should be.
  bool Read(int64_t first, int64_t end, std::byte* out) const {
    const int64_t row = matrices_.columns * matrices_.item;  // of the source
    const auto most = static_cast<size_t>(std::clamp<int64_t>(held_ / row, 1, std::min(kBand, matrices_.rows)) * row);
    std::vector<std::byte> band;  // rows that come in pieces
    band.reserve(most);
    int64_t at = 0;  // rows of the source that were moved
    const auto move = [&](std::span<const std::byte> whole_rows) {
      const int64_t count = static_cast<int64_t>(whole_rows.size()) / row;
      Move(whole_rows.data(), at, count, first, end, out);
      at += count;
    };
    source_->bytes->Stream([&](std::span<const std::byte> block) {
      while (!block.empty()) {
        const auto left = static_cast<size_t>((matrices_.rows - at % matrices_.rows) * row);  // of the matrix
        const size_t whole = std::min(most, left);
        const size_t take = std::min(block.size(), whole - band.size());
        if (take == whole) {
          move(block.first(whole));
        } else {
          band.insert(band.end(), block.begin(), block.begin() + static_cast<ptrdiff_t>(take));
          if (band.size() == whole) {
            move(band);
            band.clear();
          }
        }
        block = block.subspan(take);
      }
    });
    return at == matrices_.count * matrices_.rows;
  }

  // `count` rows of the source from row `at` on, all of one matrix, to where they belong in rows [first, end).
  void Move(const std::byte* band, int64_t at, int64_t count, int64_t first, int64_t end, std::byte* out) const {
    const int64_t before = at / matrices_.rows * matrices_.columns;  // rows of the result, of matrices before this
    const int64_t begin_column = std::clamp<int64_t>(first - before, 0, matrices_.columns);
    const int64_t end_column = std::clamp<int64_t>(end - before, 0, matrices_.columns);
    if (begin_column == end_column) return;
    const int64_t row = at % matrices_.rows;
    std::byte* to = out + ((before + begin_column - first) * matrices_.rows + row) * matrices_.item;
    const std::byte* from = band + begin_column * matrices_.item;
    const int64_t columns = end_column - begin_column;
    switch (matrices_.item) {
      case 1:
        return MoveItems<1>(from, to, count, columns);
      case 2:
        return MoveItems<2>(from, to, count, columns);
      case 4:
        return MoveItems<4>(from, to, count, columns);
      case 8:
        return MoveItems<8>(from, to, count, columns);
      default:
        return MoveItems<0>(from, to, count, columns);
    }
  }

  // kItem 0: as many bytes as an item has.
  template <size_t kItem>
  void MoveItems(const std::byte* from, std::byte* to, int64_t rows, int64_t columns) const {
    const size_t item = kItem == 0 ? static_cast<size_t>(matrices_.item) : kItem;
    const size_t from_row = static_cast<size_t>(matrices_.columns) * item;
    const size_t to_row = static_cast<size_t>(matrices_.rows) * item;
    for (int64_t column = 0; column < columns; ++column, from += item, to += to_row) {
      for (int64_t row = 0; row < rows; ++row) {
        const auto i = static_cast<size_t>(row);
        std::memcpy(to + i * item, from + i * from_row, item);
      }
    }
  }

  std::shared_ptr<const ir::TensorData> source_;
  Matrices matrices_;
  int64_t held_;
};

bool Fits(const Matrices& matrices, const TransposeLimits& limits) {
  // One row of either side must fit its buffer, else not even one column could be gathered.
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
