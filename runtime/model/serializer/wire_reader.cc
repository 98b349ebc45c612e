#include "runtime/model/serializer/wire_reader.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "runtime/base/error.h"
#include "runtime/base/interruption.h"

namespace onnxport::serializer {
namespace {

constexpr int kMostVarintBytes = 10;
enum WireType : uint8_t { kVarint = 0, kFixed64 = 1, kLengthDelimited = 2, kFixed32 = 5 };

}  // namespace

std::optional<Field> WireReader::Next() {
  Interruption::Check();
  if (at_ == end_) return std::nullopt;
  Field field{.begin = at_};
  const uint64_t tag = Varint();
  // 29 bits, as protobuf has it.
  field.number = static_cast<int>(tag >> 3 & 0x1fffffff);
  uint64_t size = 0;
  field.data = at_;
  switch (tag & 7) {
    case kVarint:
      field.value = Varint();
      break;
    case kFixed64:
      size = 8;
      break;
    case kFixed32:
      size = 4;
      break;
    case kLengthDelimited:
      size = Varint();
      field.data = at_;
      field.is_message = true;
      break;
    default:
      Fail();
  }
  // Compared with what is left, not added to `at_`: a size near 2^64 would wrap around.
  if (size > end_ - at_) Fail();
  at_ += size;
  field.end = at_;
  return field;
}

uint64_t WireReader::Varint() {
  std::array<std::byte, kMostVarintBytes> bytes;
  const size_t count = std::min<uint64_t>(bytes.size(), end_ - at_);
  file_.ReadAt(at_, std::span(bytes).first(count));
  uint64_t number = 0;
  for (size_t i = 0; i < count; ++i) {
    const auto byte = std::to_integer<uint64_t>(bytes[i]);
    number |= (byte & 0x7f) << (7 * i);
    ++at_;
    if (byte < 0x80) return number;
  }
  Fail();
}

std::string WireReader::Read(uint64_t begin, uint64_t end) const {
  std::string text(end - begin, '\0');
  file_.ReadAt(begin, std::as_writable_bytes(std::span(text)));
  return text;
}

void WireReader::Fail() const { throw Error(Code::kBadOnnxFile, file_.name() + ": is no ONNX model, or damaged"); }

}  // namespace onnxport::serializer
