// A position in the text of a schema. Internal to the parser of aten_schema.h.
#ifndef ONNXPORT_RUNTIME_ATEN_SCHEMA_TEXT_H_
#define ONNXPORT_RUNTIME_ATEN_SCHEMA_TEXT_H_

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "fmt/format.h"

namespace onnxport::ir {

// Thrown inside the parser, which returns it as a text.
struct BadSchema {
  std::string message;
};

class SchemaText {
 public:
  explicit SchemaText(std::string_view text) : text_(text) {}

  bool done() const { return position_ == text_.size(); }
  size_t position() const { return position_; }
  std::string_view rest() const { return text_.substr(position_); }
  std::string_view Since(size_t begin) const { return text_.substr(begin, position_ - begin); }
  char current() const { return done() ? '\0' : text_[position_]; }

  // Stops at the end of the text.
  void Skip(size_t count) { position_ += std::min(count, text_.size() - position_); }
  bool Accept(std::string_view word) {
    if (!rest().starts_with(word)) return false;
    position_ += word.size();
    return true;
  }
  void Expect(std::string_view word) {
    if (!Accept(word)) Fail(fmt::format("`{}`", word));
  }
  [[noreturn]] void Fail(std::string_view expected) const {
    throw BadSchema{
        fmt::format("expected {} at column {} of schema `{}`", expected, position_ + 1, text_.substr(0, 200))};
  }

  // Reads letters, digits, `_` and the characters of `also`; may read none.
  std::string_view Identifier(std::string_view also = "") {
    const size_t begin = position_;
    while (IsNameCharacter(current()) || (!done() && also.find(current()) != std::string_view::npos)) ++position_;
    return Since(begin);
  }

  int64_t Integer() {
    int64_t value = 0;
    const auto [end, code] = std::from_chars(rest().data(), rest().data() + rest().size(), value);
    if (code != std::errc()) Fail("a whole number");
    Skip(end - rest().data());
    return value;
  }

 private:
  static bool IsNameCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }

  std::string_view text_;
  size_t position_ = 0;
};

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_ATEN_SCHEMA_TEXT_H_
