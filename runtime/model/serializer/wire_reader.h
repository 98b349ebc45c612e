// Reads protobuf's wire format in place: skipped fields cost nothing.
#ifndef ONNXPORT_RUNTIME_MODEL_SERIALIZER_WIRE_READER_H_
#define ONNXPORT_RUNTIME_MODEL_SERIALIZER_WIRE_READER_H_

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/archive/byte_source.h"

namespace onnxport::serializer {

struct Field {
  int number = 0;
  uint64_t begin = 0;  // offset of the tag
  uint64_t data = 0;   // offset of the contents
  uint64_t end = 0;
  uint64_t value = 0;  // the value of a number
  bool is_message = false;
};

// The fields of the message in [begin, end) of a file.
class WireReader {
 public:
  WireReader(const archive::ByteSource& file, uint64_t begin, uint64_t end) : file_(file), at_(begin), end_(end) {}
  // Returns nothing at the end. Throws Error (kBadInput) if this is no message, or is truncated.
  std::optional<Field> Next();
  // The bytes of a message or a text field.
  std::string Contents(const Field& field) const { return Read(field.data, field.end); }
  // The serialized field.
  std::string Whole(const Field& field) const { return Read(field.begin, field.end); }

 private:
  uint64_t Varint();
  std::string Read(uint64_t begin, uint64_t end) const;
  [[noreturn]] void Fail() const;

  const archive::ByteSource& file_;
  uint64_t at_;
  uint64_t end_;
};

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_WIRE_READER_H_
