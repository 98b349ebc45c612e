// The tokens of a JSON document, read from blocks that may end anywhere.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_JSON_TEXT_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_JSON_TEXT_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/memory_budget.h"
#include "runtime/sources/pt2/json.h"

namespace onnxport::pt2 {

// Reads characters one after another. The result of a function is valid until the next call.
class JsonText {
 public:
  explicit JsonText(const TextBlocks* next) : next_(*next) {}

  // The next character; NUL at the end, and for a NUL in the text.
  char Peek() { return at_ == end_ && !Fill() ? '\0' : *at_; }
  // The same, after spaces.
  char Next() {
    while (true) {
      const char c = Peek();
      if (c > ' ' || (c != ' ' && c != '\n' && c != '\r' && c != '\t')) return c;
      ++at_;
    }
  }
  bool at_end() { return at_ == end_ && !Fill(); }
  void Skip() { ++at_; }

  // Expects that word.
  void Word(std::string_view word);
  // A number as it is written.
  std::string_view Number();
  // A text in quotes, with its escapes resolved. It is checked to be UTF-8, including escaped characters.
  std::string_view Text();

  // Throws Error: the text is not JSON.
  [[noreturn]] void Fail(size_t behind = 0) const;

 private:
  bool Fill();
  // Returns the next characters of this block that need no special treatment. They end at a quote, a backslash, a
  // control character or one of more than one byte.
  std::string_view Plain() const;
  std::string_view LongText();
  void Escape();
  unsigned Hexadecimal();
  void Encoded();
  void Keep(std::string_view text);

  const TextBlocks& next_;
  size_t before_ = 0;  // bytes of earlier blocks
  const char* begin_ = nullptr;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  std::basic_string<char, std::char_traits<char>, BudgetAllocator<char>> kept_;  // token with escapes or across blocks
};

// Returns the double nearest to a number of JSON; nothing if it would be infinite.
std::optional<double> NearestDouble(std::string_view number);

// Calls a handler for each token: Null(), Bool(value), Number(text), Text(text), Key(text), Start(kind), EndObject(),
// EndArray(). Number returns if it accepts the number. This function calls itself for each level; the handler must
// limit the depth.
template <typename Handler>
class JsonReader {
 public:
  JsonReader(const TextBlocks* text, Handler* handler) : text_(text), handler_(*handler) {}

  void Read() {
    Value();
    text_.Next();
    if (!text_.at_end()) text_.Fail();
  }

 private:
  void Value() {
    switch (text_.Next()) {
      case '"':
        return handler_.Text(text_.Text());
      case '{':
        return Object();
      case '[':
        return Array();
      case 'n':
        text_.Word("null");
        return handler_.Null();
      case 't':
        text_.Word("true");
        return handler_.Bool(true);
      case 'f':
        text_.Word("false");
        return handler_.Bool(false);
      default:
        if (!handler_.Number(text_.Number())) text_.Fail();
    }
  }

  void Object() {
    text_.Skip();
    handler_.Start(Json::Kind::kObject);
    for (bool more = text_.Next() != '}'; more; more = GoesOn('}')) {
      if (text_.Next() != '"') text_.Fail();
      handler_.Key(text_.Text());
      if (text_.Next() != ':') text_.Fail();
      text_.Skip();
      Value();
    }
    text_.Skip();
    handler_.EndObject();
  }

  void Array() {
    text_.Skip();
    handler_.Start(Json::Kind::kArray);
    for (bool more = text_.Next() != ']'; more; more = GoesOn(']')) Value();
    text_.Skip();
    handler_.EndArray();
  }

  // After a member: returns true if there is another one.
  bool GoesOn(char end) {
    const char c = text_.Next();
    if (c == end) return false;
    if (c != ',') text_.Fail();
    text_.Skip();
    return true;
  }

  JsonText text_;
  Handler& handler_;
};

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_JSON_TEXT_H_
