#include "runtime/sources/weights/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/archive/range_bytes.h"
#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/sources/pt2/json.h"
#include "runtime/sources/weights/safetensors_dtype.h"

namespace onnxport::weights {
namespace {

using archive::ByteSource;
using pt2::Json;

constexpr uint64_t kLengthSize = 8;
constexpr uint64_t kMaxHeader = 100'000'000;  // bytes; the format's own limit

uint64_t HeaderSize(const ByteSource& bytes) {
  std::array<std::byte, kLengthSize> length;
  bytes.ReadAt(0, length);
  uint64_t size = 0;
  for (size_t i = 0; i < length.size(); ++i) size |= std::to_integer<uint64_t>(length[i]) << (8 * i);
  return size;
}

std::vector<int64_t> Numbers(const Json& list) {
  std::vector<int64_t> numbers;
  for (const Json& item : list.Elements()) {
    numbers.push_back(item.AsInt());
    if (numbers.back() < 0) item.Fail("is negative");
  }
  return numbers;
}

// The place of a tensor in the bytes behind the header.
struct Place {
  int64_t begin;
  int64_t end;
  std::string name;
};

// The format allows neither bytes of two tensors nor bytes of none, because their meaning would be unclear. Its own
// library refuses such a file.
void CheckPlaces(std::vector<Place> places, int64_t size) {
  std::ranges::sort(places, {}, [](const Place& place) { return std::pair(place.begin, place.end); });
  int64_t end = 0;
  for (const Place& place : places) {
    if (place.begin != end) {
      const char* what = place.begin < end ? "lies where another tensor does" : "lies behind bytes of no tensor";
      throw Error(Code::kBadSafetensors, fmt::format("'{}' {}", Printable(place.name), what));
    }
    end = place.end;
  }
  if (end != size) throw Error(Code::kBadSafetensors, "there are bytes of no tensor at the end");
}

void CheckMetadata(const Json& entry) {
  if (entry.kind() != Json::Kind::kObject) entry.Fail("is no object");
  for (const Json& text : entry.Items()) (void)text.AsText();
}

std::shared_ptr<const ir::TensorData> Tensor(const std::shared_ptr<const ByteSource>& bytes, uint64_t begin,
                                             std::string_view name, const Json& entry, std::vector<Place>* places) {
  const std::string_view word = entry["dtype"].AsText();
  const std::optional<ir::DType> dtype = DTypeOfSafetensors(word);
  if (!dtype) entry.Fail("has the dtype " + Printable(word) + ", which is not known");
  auto data = std::make_shared<ir::TensorData>();
  data->dtype = *dtype;
  data->shape = Numbers(entry["shape"]);
  const std::vector<int64_t> place = Numbers(entry["data_offsets"]);
  const auto available = static_cast<int64_t>(bytes->size() - begin);
  if (place.size() != 2 || place[0] > place[1] || place[1] > available) {
    entry.Fail("lies outside of the file, or the file is cut off");
  }
  int64_t size = ir::ByteSize(data->dtype);
  bool fits = true;
  for (const int64_t axis : data->shape) fits = fits && !__builtin_mul_overflow(size, axis, &size);
  if (!fits || size != place[1] - place[0]) entry.Fail("has another number of bytes than its dtype and shape say");
  places->push_back({place[0], place[1], std::string(name)});
  data->bytes = std::make_shared<archive::RangeBytes>(bytes, begin + static_cast<uint64_t>(place[0]),
                                                      begin + static_cast<uint64_t>(place[1]));
  return data;
}

}  // namespace

bool IsSafetensors(const ByteSource& bytes) {
  if (bytes.size() <= kLengthSize || HeaderSize(bytes) > kMaxHeader) return false;
  std::array<std::byte, 1> first;
  bytes.ReadAt(kLengthSize, first);
  return first[0] == std::byte{'{'};
}

NamedTensors ReadSafetensors(const std::shared_ptr<const ByteSource>& bytes) {
  const auto fail = [&](const std::string& what) {
    throw Error(Code::kBadSafetensors, fmt::format("{}: {}", bytes->name(), what));
  };
  const uint64_t size = HeaderSize(*bytes);
  // The caller has checked IsSafetensors. So the file is longer than kLengthSize, and the header is at most kMaxHeader.
  // Neither this difference nor the size of the text below can overflow.
  if (size > bytes->size() - kLengthSize) fail("is cut off inside of its header");
  std::string header(size, '\0');
  bytes->ReadAt(kLengthSize, std::as_writable_bytes(std::span(header)));
  NamedTensors tensors;
  std::vector<Place> places;
  try {
    pt2::ReadJson(pt2::OneBlock(header), {""}, [&](std::string_view, std::string_view name, const Json& entry) {
      if (name == "__metadata__") return CheckMetadata(entry);
      const bool is_new = tensors.emplace(name, Tensor(bytes, kLengthSize + size, name, entry, &places)).second;
      if (!is_new) entry.Fail("is there twice");
    });
    CheckPlaces(std::move(places), static_cast<int64_t>(bytes->size() - kLengthSize - size));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kBadInput) throw;
    fail(std::string("the header is damaged: ") + error.what());
  }
  return tensors;
}

}  // namespace onnxport::weights
