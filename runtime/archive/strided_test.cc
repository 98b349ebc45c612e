#include "runtime/archive/strided.h"

#include <algorithm>
#include <random>
#include <string>

#include "gtest/gtest.h"

namespace onnxport::archive {
namespace {

// The elements in order, and the cost of reading.
struct Outcome {
  std::string bytes;
  size_t reads = 0;
  uint64_t read = 0;     // bytes in total
  uint64_t largest = 0;  // bytes of the largest read or piece
};

Outcome InOrder(const StridedView& view, uint64_t most, const std::string& storage) {
  Outcome outcome;
  StreamInOrder(
      view, most,
      [&](uint64_t begin, std::span<std::byte> out) {
        ASSERT_LE(begin + out.size(), storage.size());
        std::copy_n(reinterpret_cast<const std::byte*>(storage.data()) + begin, out.size(), out.begin());
        ++outcome.reads;
        outcome.read += out.size();
        outcome.largest = std::max(outcome.largest, out.size());
      },
      [&](std::span<const std::byte> piece) {
        outcome.bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
        outcome.largest = std::max(outcome.largest, piece.size());
      });
  return outcome;
}

void Append(const StridedView& view, size_t axis, uint64_t at, const std::string& storage, std::string* bytes) {
  if (axis == view.shape.size()) {
    bytes->append(storage, at * view.item, view.item);
    return;
  }
  for (int64_t i = 0; i < view.shape[axis]; ++i) {
    Append(view, axis + 1, at + static_cast<uint64_t>(i * view.strides[axis]), storage, bytes);
  }
}

TEST(Strided, AgreesWithOneElementAfterTheOther) {
  std::mt19937 random(7);
  const auto below = [&](uint64_t limit) { return static_cast<int64_t>(random() % limit); };
  for (int i = 0; i < 2000; ++i) {
    StridedView view{.shape = {}, .strides = {}, .first = static_cast<uint64_t>(below(9)), .item = 1};
    view.item = uint64_t{1} << below(5);
    uint64_t last = view.first;
    for (int64_t rank = below(5); rank > 0; --rank) {
      view.shape.push_back(1 + below(7));
      view.strides.push_back(below(3) == 0 ? below(200) : below(8));
      last += static_cast<uint64_t>((view.shape.back() - 1) * view.strides.back());
    }
    std::string storage;
    for (uint64_t k = 0; k < (last + 1) * view.item; ++k) storage += static_cast<char>(random());
    std::string expected;
    Append(view, 0, view.first, storage, &expected);
    const uint64_t most = uint64_t{16} << below(10);
    const Outcome outcome = InOrder(view, most, storage);
    ASSERT_EQ(outcome.bytes, expected) << i;
    EXPECT_LE(outcome.largest, most) << i;
  }
}

// A column-major matrix that is larger than the buffers: the reader neither holds it nor reads it again and again.
TEST(Strided, ReadsWhatItNeeds) {
  constexpr uint64_t kMost = 64 << 10;
  const std::string storage(uint64_t{1024} * 1024 * 4, 'x');
  const Outcome columns = InOrder({.shape = {1024, 1024}, .strides = {1, 1024}, .first = 0, .item = 4}, kMost, storage);
  EXPECT_EQ(columns.bytes.size(), storage.size());
  EXPECT_LE(columns.largest, kMost);
  EXPECT_LE(columns.read, 2 * storage.size());
  EXPECT_LE(columns.reads, size_t{64} * 1024);
  // Every 512th element.
  const Outcome few = InOrder({.shape = {2048}, .strides = {512}, .first = 0, .item = 4}, kMost, storage);
  EXPECT_EQ(few.bytes.size(), 2048 * 4);
  EXPECT_LE(few.read, storage.size());
}

}  // namespace
}  // namespace onnxport::archive
