// The few pieces of protobuf's wire format that frame what is serialized by hand.
#ifndef ONNXPORT_RUNTIME_MODEL_SERIALIZER_WIRE_H_
#define ONNXPORT_RUNTIME_MODEL_SERIALIZER_WIRE_H_

#include <cstdint>
#include <string>

namespace onnxport::serializer {

inline std::string Varint(uint64_t number) {
  std::string text;
  for (; number >= 0x80; number >>= 7) text.push_back(static_cast<char>(number | 0x80));
  text.push_back(static_cast<char>(number));
  return text;
}

// Fields of onnx.proto.
inline constexpr int kModelGraph = 7;
inline constexpr int kGraphInitializer = 5;
inline constexpr int kGraphInput = 11;

// Tag and length of a length-delimited field (a message, bytes); the contents follow.
inline std::string FieldHeader(int field, int64_t length) {
  constexpr int kLengthDelimited = 2;
  return Varint(static_cast<uint64_t>(field) << 3 | kLengthDelimited) + Varint(length);
}

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_WIRE_H_
