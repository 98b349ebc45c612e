#include "runtime/archive/record_tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/archive/strided.h"

namespace onnxport::archive {
namespace {

constexpr uint64_t kMostHeld = uint64_t{16} << 20;  // size of a buffer for a tensor with strides; there are two

// The bytes [begin, begin + size) of a record.
class RecordBytes : public ir::TensorBytes {
 public:
  RecordBytes(std::shared_ptr<const Archive> archive, const Archive::Record* record, uint64_t begin, uint64_t size)
      : archive_(std::move(archive)), record_(record), begin_(begin), size_(size) {}

  void Stream(const ByteSink& sink) const override { archive_->Stream(*record_, begin_, size_, sink); }
  // The first call reads the whole record, to check its CRC.
  void StreamRange(int64_t begin, int64_t size, const ByteSink& sink) const override {
    archive_->Stream(*record_, begin_ + static_cast<uint64_t>(begin), static_cast<uint64_t>(size), sink);
  }
  bool has_ranges() const override { return true; }
  // If two tensors have the same record, they share memory in the program, as `w` and `w[1:]` do: a write to one shows
  // in the other. TorchScript and torch.export both write one record for each storage.
  const void* storage() const override { return record_; }

 private:
  std::shared_ptr<const Archive> archive_;
  const Archive::Record* record_;
  uint64_t begin_;
  uint64_t size_;
};

class StridedBytes : public ir::TensorBytes {
 public:
  StridedBytes(std::shared_ptr<const Archive> archive, const Archive::Record* record, StridedView view)
      : archive_(std::move(archive)), record_(record), view_(std::move(view)) {}

  void Stream(const ByteSink& sink) const override {
    archive_->Check(*record_);
    const auto read = [this](uint64_t begin, std::span<std::byte> out) {
      archive_->Stream(*record_, begin, out.size(), [&out](std::span<const std::byte> block) {
        std::ranges::copy(block, out.begin());
        out = out.subspan(block.size());
      });
    };
    StreamInOrder(view_, kMostHeld, read, sink);
  }
  const void* storage() const override { return record_; }

 private:
  std::shared_ptr<const Archive> archive_;
  const Archive::Record* record_;
  StridedView view_;
};

// Multiplies *a by b. Returns false if the product reaches 2^62.
bool Multiply(uint64_t* a, uint64_t b) { return !__builtin_mul_overflow(*a, b, a) && *a < (uint64_t{1} << 62); }

}  // namespace

bool IsRowMajor(const std::vector<int64_t>& shape, const std::vector<int64_t>& strides) {
  int64_t expected = 1;
  for (size_t axis = shape.size(); axis-- > 0;) {
    // PyTorch leaves any number as the stride of an axis of size 1. Example: if `w` has shape [1, 3], then `w.t()` has
    // shape [3, 1] and strides [1, 3].
    if (shape[axis] != 1 && strides[axis] != expected) return false;
    if (__builtin_mul_overflow(expected, std::max<int64_t>(shape[axis], 1), &expected)) return false;
  }
  return true;
}

std::shared_ptr<const ir::TensorData> OpenTensor(const std::shared_ptr<const Archive>& archive,
                                                 const Archive::Record& record, const std::string& name,
                                                 const RecordView& wanted) {
  StridedView view{.shape = wanted.shape,
                   .strides = wanted.strides,
                   .first = wanted.offset,
                   .item = static_cast<uint64_t>(ir::ByteSize(wanted.dtype))};
  uint64_t size = view.item;
  // The last index of each axis leads to the farthest element. With shape [2, 3] and strides [1, 4] it is element 1*1 +
  // 2*4 = 9. This view has only 6 elements, but it needs a record of 10.
  uint64_t last = 0;  // the farthest element, counted from the first
  bool fits = true;
  bool empty = false;
  for (size_t i = 0; i < view.shape.size(); ++i) {
    empty = empty || view.shape[i] == 0;
    uint64_t reach = static_cast<uint64_t>(view.strides[i]);
    fits = fits && Multiply(&reach, static_cast<uint64_t>(std::max<int64_t>(view.shape[i] - 1, 0)));
    fits = fits && Multiply(&size, static_cast<uint64_t>(std::max<int64_t>(view.shape[i], 1)));
    last += fits ? reach : 0;
    fits = fits && last < (uint64_t{1} << 62);
  }
  // Only set here: the check for overflow above must also see the axes that come after an empty one.
  if (empty) size = 0;
  const uint64_t items = record.size / view.item;
  if (!empty && record.size == 0) {
    return ir::MakeAbsent(wanted.dtype, view.shape, nullptr,
                          fmt::format("{}: record '{}' is empty: '{}' was saved without its elements, as fake tensors "
                                      "are; save the program with real ones",
                                      archive->name(), record.name, name));
  }
  if (!fits || (!empty && (view.first >= items || last >= items - view.first))) {
    archive->Fail(record.name, "is shorter than '" + name + "' needs: " + std::to_string(record.size) + " bytes");
  }
  if (size > record.size) archive->CountRepeated(record, size - record.size);

  auto data = std::make_shared<ir::TensorData>();
  data->dtype = wanted.dtype;
  data->shape = view.shape;
  if (empty || IsRowMajor(view.shape, view.strides)) {
    data->bytes = std::make_shared<RecordBytes>(archive, &record, empty ? 0 : view.first * view.item, size);
  } else {
    data->bytes = std::make_shared<StridedBytes>(archive, &record, std::move(view));
  }
  return data;
}

}  // namespace onnxport::archive
