#include "runtime/importer/weights.h"

#include <algorithm>
#include <cstring>

#include "runtime/importer/zip_directory.h"
#include "runtime/ir/error.h"

namespace onnxport::importer {
namespace {

constexpr uint64_t kMaxList = uint64_t{64} << 20;
constexpr uint64_t kBlock = uint64_t{256} << 10;
// A view may repeat its storage (stride 0); past this it is an attack.
constexpr uint64_t kMaxRepeats = 64;
constexpr uint64_t kAlwaysFine = uint64_t{64} << 20;

// [begin, begin + size) of a record.
class RecordBytes : public ir::TensorBytes {
 public:
  RecordBytes(std::shared_ptr<const Archive> archive, const Archive::Record* record, uint64_t begin, uint64_t size)
      : archive_(std::move(archive)), record_(record), begin_(begin), size_(size) {}

  void Stream(const ByteSink& sink) const override { archive_->Stream(*record_, begin_, size_, sink); }
  const void* storage() const override { return record_; }

 private:
  std::shared_ptr<const Archive> archive_;
  const Archive::Record* record_;
  uint64_t begin_;
  uint64_t size_;
};

// A view with strides: its span is read, then gathered in row-major order. All figures but `item` are in elements.
struct View {
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  uint64_t first = 0;  // element of the record
  uint64_t span = 0;   // elements from the first to the last one used
  uint64_t item = 1;   // bytes of an element
};

class StridedBytes : public ir::TensorBytes {
 public:
  StridedBytes(std::shared_ptr<const Archive> archive, const Archive::Record* record, View view)
      : archive_(std::move(archive)), record_(record), view_(std::move(view)) {}

  void Stream(const ByteSink& sink) const override {
    std::vector<std::byte> span;
    span.reserve(view_.span * view_.item);
    archive_->Stream(*record_, view_.first * view_.item, view_.span * view_.item,
                     [&](std::span<const std::byte> block) { span.insert(span.end(), block.begin(), block.end()); });
    std::vector<std::byte> block;
    block.reserve(kBlock);
    std::vector<int64_t> index(view_.shape.size(), 0);
    uint64_t at = 0;
    do {
      block.insert(block.end(), span.begin() + static_cast<ptrdiff_t>(at * view_.item),
                   span.begin() + static_cast<ptrdiff_t>((at + 1) * view_.item));
      if (block.size() + view_.item > kBlock) {
        sink(block);
        block.clear();
      }
    } while (Advance(&index, &at));
    if (!block.empty()) sink(block);
  }
  const void* storage() const override { return record_; }

 private:
  // The next element in row-major order; false after the last.
  bool Advance(std::vector<int64_t>* index, uint64_t* at) const {
    for (size_t axis = view_.shape.size(); axis-- > 0;) {
      *at += static_cast<uint64_t>(view_.strides[axis]);
      if (++(*index)[axis] < view_.shape[axis]) return true;
      *at -= static_cast<uint64_t>(view_.strides[axis]) * static_cast<uint64_t>(view_.shape[axis]);
      (*index)[axis] = 0;
    }
    return false;
  }

  std::shared_ptr<const Archive> archive_;
  const Archive::Record* record_;
  View view_;
};

std::vector<int64_t> Numbers(const Archive& archive, const std::string& record, const ir::Dims& dims) {
  std::vector<int64_t> numbers;
  for (const ir::Dim& dim : dims) {
    if (!dim.is_number() || dim.number() < 0)
      archive.Fail(record, "has a size or stride that is no number: " + dim.ToString());
    numbers.push_back(dim.number());
  }
  return numbers;
}

// a * b, or nothing above 2^62.
bool Multiply(uint64_t* a, uint64_t b) { return !__builtin_mul_overflow(*a, b, a) && *a < (uint64_t{1} << 62); }

}  // namespace

Weights::Weights(std::shared_ptr<const Archive> archive, const std::string& folder, const std::string& model,
                 MetaReader* metas)
    : archive_(std::move(archive)) {
  weights_ = ReadList(folder + "data/weights/" + model + "_weights_config.json", folder + "data/weights/", metas);
  constants_ =
      ReadList(folder + "data/constants/" + model + "_constants_config.json", folder + "data/constants/", metas);
}

Weights::List Weights::ReadList(const std::string& record, const std::string& folder, MetaReader* metas) {
  const Archive::Record* found = archive_->Find(record);
  if (found == nullptr) {
    archive_->Fail(record,
                   "is missing; archives of PyTorch before 2.9 keep weights as a pickle, which is never read: load it "
                   "there and save it again with PyTorch 2.9 or newer");
  }
  List list;
  try {
    ReadJson(archive_->Read(*found, kMaxList), {"", "config"},
             [&](std::string_view container, std::string_view key, const Json& value) {
               if (container != "config") return;
               Payload payload;
               payload.record = folder + std::string(value["path_name"].AsText());
               payload.pickled = value["use_pickle"].AsBool();
               if (const auto meta = value.Find("tensor_meta"); meta && !payload.pickled) {
                 payload.has_meta = true;
                 payload.meta = metas->ReadTensor(*meta);
               }
               if (!list.emplace(std::string(key), std::move(payload)).second) value.Fail("occurs twice");
             });
  } catch (const JsonError& error) {
    archive_->Fail(record, std::string("is damaged: ") + error.what());
  }
  return list;
}

std::shared_ptr<const ir::TensorData> Weights::Find(std::string_view name, bool constant) {
  for (const List* list : {constant ? &constants_ : &weights_, constant ? &weights_ : &constants_}) {
    if (const auto found = list->find(name); found != list->end()) return Open(name, found->second);
  }
  archive_->Fail("", "no contents for '" + Printable(name) + "' in it");
}

std::shared_ptr<const ir::TensorData> Weights::Open(std::string_view name, const Payload& payload) {
  const std::string& where = payload.record;
  if (payload.pickled || !payload.has_meta) {
    throw Error(ErrorKind::kBadInput, archive_->path() + ": '" + Printable(name) +
                                          "' is stored as a pickle, which is never read (it could run code); make it a "
                                          "plain tensor and export again");
  }
  const Archive::Record* record = archive_->Find(where);
  if (record == nullptr) archive_->Fail(where, "is missing; '" + Printable(name) + "' lies in it");
  View view{Numbers(*archive_, where, payload.meta.sizes), Numbers(*archive_, where, payload.meta.strides)};
  const int64_t offset = Numbers(*archive_, where, {payload.meta.offset})[0];
  const Place place{where, static_cast<int>(payload.meta.dtype), view.shape, view.strides, offset};
  if (const auto found = opened_.find(place); found != opened_.end()) return found->second;

  view.first = static_cast<uint64_t>(offset);
  view.item = static_cast<uint64_t>(ir::ByteSize(payload.meta.dtype));
  uint64_t size = view.item;
  uint64_t last = 0;  // element, counted from the first
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
  if (empty) size = 0;
  view.span = empty ? 0 : last + 1;
  const uint64_t items = record->size / view.item;
  if (!fits || (!empty && (view.first >= items || view.span > items - view.first))) {
    archive_->Fail(where,
                   "is shorter than '" + Printable(name) + "' needs: " + std::to_string(record->size) + " bytes");
  }
  if (size > kAlwaysFine && size / kMaxRepeats > record->size) {
    archive_->Fail(where, "is repeated beyond reason by the strides of '" + Printable(name) + "'");
  }

  auto data = std::make_shared<ir::TensorData>();
  data->dtype = payload.meta.dtype;
  data->shape = view.shape;
  if (empty || payload.meta.row_major()) {
    data->bytes = std::make_shared<RecordBytes>(archive_, record, empty ? 0 : view.first * view.item, size);
  } else {
    data->bytes = std::make_shared<StridedBytes>(archive_, record, std::move(view));
  }
  opened_.emplace(place, data);
  return data;
}

}  // namespace onnxport::importer
