// The text of a JSON document as RapidJSON's reader wants it: in blocks, and with memory that is counted.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_JSON_TEXT_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_JSON_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "runtime/sources/pt2/json.h"

// Its templates under a name of their own: the program that this library is part of may have another release of
// RapidJSON.
#define RAPIDJSON_NAMESPACE onnxport::rapidjson
#define RAPIDJSON_NAMESPACE_BEGIN namespace onnxport::rapidjson {
#define RAPIDJSON_NAMESPACE_END }
#include <rapidjson/reader.h>

namespace onnxport::pt2 {

// A stream of RapidJSON over blocks. A NUL stands for the end, as RapidJSON wants it, but also for itself: whoever has
// read a value asks at_end().
class TextStream {
 public:
  using Ch = char;

  explicit TextStream(const TextBlocks* next) : next_(next) { Fill(); }

  char Peek() const { return at_ == end_ ? '\0' : *at_; }
  char Take() {
    const char c = Peek();
    if (at_ != end_) Skip(1);
    return c;
  }
  size_t Tell() const { return before_ + static_cast<size_t>(at_ - begin_); }
  bool at_end() const { return at_ == end_; }

  // Characters that stand for themselves in a text, as many as follow in this block. None where the next is a quote, a
  // backslash, a control character or of more than one byte.
  std::string_view Plain() const;
  void SkipSpaces() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) Skip(1);
  }
  void Skip(size_t count) {
    at_ += count;
    if (at_ == end_) Fill();
  }

  // Of RapidJSON's parsing in place, which is never asked for.
  char* PutBegin() { return nullptr; }
  char* Push(unsigned) { return nullptr; }
  void Put(char) {}
  void Flush() {}
  size_t PutEnd(char*) { return 0; }

 private:
  void Fill();

  const TextBlocks* next_;
  size_t before_ = 0;  // bytes of earlier blocks
  const char* begin_ = nullptr;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
};

}  // namespace onnxport::pt2

// As RapidJSON has it for its own streams.
template <>
inline void onnxport::rapidjson::SkipWhitespace(onnxport::pt2::TextStream& in) {
  in.SkipSpaces();
}

namespace onnxport::pt2 {

// UTF-8 that is checked, also what escapes make of it. What takes RapidJSON one turn for each character is one copy for
// plain ones.
struct CheckedText : rapidjson::UTF8<> {
  template <typename Out>
  static bool Validate(TextStream& in, Out& out) {
    const std::string_view plain = in.Plain();
    if (plain.empty()) return rapidjson::UTF8<>::Validate(in, out);
    std::memcpy(out.Push(static_cast<unsigned>(plain.size())), plain.data(), plain.size());
    in.Skip(plain.size());
    return true;
  }
  template <typename Out>
  static void Encode(Out& out, unsigned codepoint) {
    CheckCodepoint(codepoint);
    rapidjson::UTF8<>::Encode(out, codepoint);
  }

 private:
  static void CheckCodepoint(unsigned codepoint);
};

// The nearest double to a number of JSON; nothing where that is infinite. (RapidJSON's own conversion overflows an int
// for a fraction of many digits with a large exponent.)
std::optional<double> NearestDouble(std::string_view text);

// An allocator of RapidJSON for the text that is being read: counted like all that a file describes, and capped, as
// RapidJSON counts characters in 32 bits.
class TextMemory {
 public:
  static constexpr bool kNeedFree = true;
  void* Malloc(size_t size) { return Realloc(nullptr, 0, size); }
  void* Realloc(void* memory, size_t old_size, size_t size);
  static void Free(void* memory);
};

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_JSON_TEXT_H_
