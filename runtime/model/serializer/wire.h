// The parts of protobuf's wire format for data that is serialized by hand.
#ifndef ONNXPORT_RUNTIME_MODEL_SERIALIZER_WIRE_H_
#define ONNXPORT_RUNTIME_MODEL_SERIALIZER_WIRE_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace onnxport::serializer {

// Fields of onnx.proto.
inline constexpr int kModelGraph = 7;
inline constexpr int kGraphInitializer = 5;
inline constexpr int kGraphInput = 11;

inline void AppendVarint(uint64_t number, std::string* text) {
  for (; number >= 0x80; number >>= 7) text->push_back(static_cast<char>(number | 0x80));
  text->push_back(static_cast<char>(number));
}

// Appends tag and length of a length-delimited field (a message, bytes). The contents follow.
inline void AppendFieldHeader(int field, size_t length, std::string* text) {
  constexpr int kLengthDelimited = 2;
  AppendVarint(static_cast<uint64_t>(field) << 3 | kLengthDelimited, text);
  AppendVarint(length, text);
}

inline std::string FieldHeader(int field, int64_t length) {
  std::string text;
  AppendFieldHeader(field, static_cast<size_t>(length), &text);
  return text;
}

inline void AppendField(int field, std::string_view contents, std::string* text) {
  AppendFieldHeader(field, contents.size(), text);
  text->append(contents);
}

// The size of such a field, if its number is below 16.
inline size_t FieldSize(std::string_view contents) {
  const size_t length = (std::bit_width(contents.size() | 1) + 6) / 7;
  return 1 + length + contents.size();
}

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_WIRE_H_
