#include "runtime/ir/graph.h"

#include <algorithm>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/ir/location.h"

namespace onnxport::ir {
namespace {

class MemoryBytes : public TensorBytes {
 public:
  explicit MemoryBytes(std::string bytes) : bytes_(std::move(bytes)) {}
  void Stream(const ByteSink& sink) const override { sink(std::as_bytes(std::span(bytes_))); }
  void StreamRange(int64_t begin, int64_t size, const ByteSink& sink) const override {
    const std::span<const std::byte> all = std::as_bytes(std::span(bytes_));
    const size_t from = std::min(static_cast<size_t>(begin), all.size());  // the writer reports too few bytes
    sink(all.subspan(from, std::min(static_cast<size_t>(size), all.size() - from)));
  }
  bool has_ranges() const override { return true; }

 private:
  std::string bytes_;
};

class AbsentBytes : public TensorBytes {
 public:
  AbsentBytes(const void* storage, std::string why) : storage_(storage), why_(std::move(why)) {}
  void Stream(const ByteSink& /*sink*/) const override { throw Error(ErrorKind::kCannotExport, why_); }
  // Without a storage it is its own: two weights without elements do not count as tied.
  const void* storage() const override { return storage_ != nullptr ? storage_ : this; }
  bool absent() const override { return true; }

 private:
  const void* storage_;
  std::string why_;
};

}  // namespace

// Reads everything, so for many ranges of one source the time is quadratic. Code with many ranges calls has_ranges()
// first (passes/byte_layout.cc).
void TensorBytes::StreamRange(int64_t begin, int64_t size, const ByteSink& sink) const {
  int64_t at = 0;
  Stream([&](std::span<const std::byte> block) {
    const auto count = static_cast<int64_t>(block.size());
    const int64_t from = std::clamp(begin - at, int64_t{0}, count);
    const int64_t to = std::clamp(begin + size - at, int64_t{0}, count);
    if (from < to) sink(block.subspan(static_cast<size_t>(from), static_cast<size_t>(to - from)));
    at += count;
  });
}

std::string BytesOf(const TensorBytes& bytes) {
  std::string all;
  bytes.Stream(
      [&](std::span<const std::byte> piece) { all.append(reinterpret_cast<const char*>(piece.data()), piece.size()); });
  return all;
}

ValueId Graph::AddValue(Value value) {
  values.push_back(std::move(value));
  return static_cast<ValueId>(values.size() - 1);
}

LocationId Graph::AddLocation(Location location) {
  locations.push_back(std::make_shared<const Location>(std::move(location)));
  return static_cast<LocationId>(locations.size() - 1);
}

const Location& Graph::location(LocationId id) const {
  static const Location kNowhere;
  return id == LocationId::kNone ? kNowhere : *locations[static_cast<size_t>(id)];
}

std::shared_ptr<const TensorData> MakeTensor(DType dtype, std::vector<int64_t> shape, std::string bytes) {
  auto data = std::make_shared<TensorData>();
  data->dtype = dtype;
  data->shape = std::move(shape);
  data->bytes = std::make_shared<MemoryBytes>(std::move(bytes));
  return data;
}

std::shared_ptr<const TensorData> MakeAbsent(DType dtype, std::vector<int64_t> shape, const void* storage,
                                             std::string why) {
  auto data = std::make_shared<TensorData>();
  data->dtype = dtype;
  data->shape = std::move(shape);
  data->bytes = std::make_shared<AbsentBytes>(storage, std::move(why));
  return data;
}

}  // namespace onnxport::ir
