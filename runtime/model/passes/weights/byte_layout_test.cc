#include "runtime/model/passes/weights/byte_layout.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::passes::byte_layout_test {
namespace {

// Counts what is read of it.
class CountedBytes : public ir::TensorBytes {
 public:
  CountedBytes(std::string bytes, bool has_ranges) : bytes_(std::move(bytes)), has_ranges_(has_ranges) {}

  void Stream(const std::function<void(std::span<const std::byte>)>& sink) const override {
    Give(0, bytes_.size(), sink);
  }
  void StreamRange(int64_t begin, int64_t size,
                   const std::function<void(std::span<const std::byte>)>& sink) const override {
    if (!has_ranges_) return TensorBytes::StreamRange(begin, size, sink);
    Give(static_cast<size_t>(begin), static_cast<size_t>(size), sink);
  }
  bool has_ranges() const override { return has_ranges_; }

  size_t read() const { return read_; }

 private:
  // In pieces that are no whole parts.
  void Give(size_t begin, size_t size, const std::function<void(std::span<const std::byte>)>& sink) const {
    for (size_t at = begin; at < begin + size; at += 5) {
      const size_t piece = std::min<size_t>(5, begin + size - at);
      read_ += piece;
      sink(std::as_bytes(std::span(bytes_).subspan(at, piece)));
    }
  }

  std::string bytes_;
  bool has_ranges_;
  mutable size_t read_ = 0;
};

// Rows 8 to 11, then 0 to 3, of 16 rows of 4 bytes.
TEST(AssembledTensor, PartsAreReadAlone) {
  std::string bytes;
  for (char i = 0; i < 64; ++i) bytes += static_cast<char>('0' + i);
  const struct {
    bool has_ranges;
    size_t read;
  } kRows[] = {{true, 32}, {false, 64}};
  for (const auto& [has_ranges, read] : kRows) {
    auto counted = std::make_shared<CountedBytes>(bytes, has_ranges);
    auto source = std::make_shared<ir::TensorData>();
    source->dtype = ir::DType::kInt8;
    source->shape = {16, 4};
    source->bytes = counted;
    const ByteLayout whole = WholeTensor(0, *source);
    const auto later = SliceLayout(whole, 0, 8, 12);
    const auto first = SliceLayout(whole, 0, 0, 4);
    ASSERT_TRUE(later && first);
    const auto layout = ConcatLayouts({&*later, &*first}, 0);
    ASSERT_TRUE(layout);
    const auto made = AssembleTensor(*layout, {source});
    EXPECT_EQ(ir::BytesOf(*made->bytes), bytes.substr(32, 16) + bytes.substr(0, 16)) << has_ranges;
    EXPECT_EQ(counted->read(), read) << has_ranges;
  }
}

}  // namespace
}  // namespace onnxport::passes::byte_layout_test
