#include "runtime/sources/torchscript/syntax/lexer.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/sources/torchscript/syntax/parser.h"

namespace onnxport::torchscript {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool StartsName(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
// A file of any name can be a module, and LibTorch's printer writes the name as it is: `__torch__.my-net.Net`. These
// are the characters that LibTorch takes there (for operators, but it does not use what it read).
bool IsOfFileName(char c) { return c != '\0' && std::string_view("+-*%@&|^").find(c) != std::string_view::npos; }

}  // namespace

Lexer::Lexer(std::string_view text, std::string module) : text_(text), module_(std::move(module)) {
  if (text.size() >= std::numeric_limits<Offset>::max()) Fail(0, "the file is larger than 4 GB");
}

void Lexer::Fail(Offset offset, const std::string& message) const {
  const std::string_view before = text_.substr(0, offset);
  // Lines are only counted for an error; tokens only have offsets.
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  throw Error(onnxport::Code::kBadScript, "code of " + module_ + ", line " + std::to_string(line) + ": " + message);
}

Token Lexer::Take(TokenKind kind, size_t size) {
  const Token token{kind, static_cast<Offset>(position_), text_.substr(position_, size)};
  position_ += size;
  return token;
}

void Lexer::SkipBlanks() {
  // Within brackets a line end has no meaning: the printer breaks long calls there.
  while (true) {
    const char c = At(position_);
    if (c == ' ' || c == '\r' || (c == '\n' && brackets_ > 0)) {
      ++position_;
    } else if (c == '#') {
      position_ = std::min(text_.find('\n', position_), text_.size());
    } else {
      return;
    }
  }
}

// Measures the indentation of the next line that has a token.
bool Lexer::StartLine(Token* token) {
  // Lines that are empty or only have a comment do not end blocks, so they are skipped.
  size_t line = position_;
  do {
    line = position_;
    SkipBlanks();
  } while (At(position_) == '\n' && ++position_ > 0);
  at_line_start_ = false;
  // The end of the file closes all blocks.
  const size_t indent = position_ >= text_.size() ? 0 : position_ - line;
  if (indent > indents_.back()) {
    if (indents_.size() > static_cast<size_t>(kMaxNesting))
      Fail(static_cast<Offset>(position_), "blocks nest too deep");
    indents_.push_back(indent);
    *token = Take(TokenKind::kIndent, 0);
    return true;
  }
  // One line may close several blocks. Next() returns one kDedent for each before the line itself.
  while (indent < indents_.back()) {
    indents_.pop_back();
    ++dedents_;
  }
  if (indent != indents_.back()) Fail(static_cast<Offset>(position_), "the indentation fits no outer block");
  return false;
}

Token Lexer::Next() {
  Token token;
  if (at_line_start_ && StartLine(&token)) return token;
  if (dedents_ > 0) {
    --dedents_;
    return Take(TokenKind::kDedent, 0);
  }
  SkipBlanks();
  if (position_ < text_.size()) return Line();
  if (brackets_ > 0) Fail(static_cast<Offset>(position_), "the file ends inside brackets");
  return Take(TokenKind::kEnd, 0);
}

Token Lexer::Line() {
  const char c = At(position_);
  if (c == '\n') {
    at_line_start_ = true;
    return Take(TokenKind::kNewline, 1);
  }
  // Numbers before symbols: `.5` begins like a symbol.
  if (c == '"' || c == '\'') return String();
  if (IsDigit(c) || (c == '.' && IsDigit(At(position_ + 1)))) return Number();
  return StartsName(c) ? Name() : Symbol();
}

Token Lexer::Name() {
  const bool is_after_dot = position_ > 0 && At(position_ - 1) == '.';
  size_t end = position_;
  while (StartsName(At(end)) || IsDigit(At(end)) || (is_qualified_ && is_after_dot && IsOfFileName(At(end)))) ++end;
  const Token name = Take(TokenKind::kName, end - position_);
  is_qualified_ = name.text == "__torch__" || (is_qualified_ && is_after_dot);
  return name;
}

// Returns the end of `12`, `1.`, `1e-05`.
size_t Lexer::NumberEnd(size_t end) const {
  while (IsDigit(At(end)) || At(end) == '.') ++end;
  if (At(end) != 'e' && At(end) != 'E') return end;
  ++end;
  if (At(end) == '-' || At(end) == '+') ++end;
  while (IsDigit(At(end))) ++end;
  return end;
}

Token Lexer::Number() {
  size_t end = NumberEnd(position_);
  if (At(end) == '+' || At(end) == '-') end = NumberEnd(end + 1);  // `1.+2.j`: LibTorch prints no other sum
  if (At(end) == 'j') ++end;
  if (StartsName(At(end))) Fail(static_cast<Offset>(end), "a letter follows a number");
  return Take(TokenKind::kNumber, end - position_);
}

Token Lexer::String() {
  const char quote = At(position_);
  for (size_t end = position_ + 1; end < text_.size() && text_[end] != '\n'; ++end) {
    if (text_[end] == quote) return Take(TokenKind::kString, end + 1 - position_);
    // An escaped quote does not end the text: "a\"b".
    if (text_[end] == '\\') ++end;
  }
  Fail(static_cast<Offset>(position_), "the string does not end on its line");
}

Token Lexer::Symbol() {
  // The longest first, because `...` would otherwise be three dots.
  if (text_.substr(position_, 3) == "...") return Take(TokenKind::kSymbol, 3);
  if (text_.substr(position_, 2) == "->") return Take(TokenKind::kSymbol, 2);
  const char c = At(position_);
  if (std::string_view("()[]{},:=.-").find(c) == std::string_view::npos) {
    const bool is_printable = c > ' ' && c < '\x7f';
    Fail(static_cast<Offset>(position_),
         "`" + (is_printable ? std::string(1, c) : std::string("a control or non-ASCII byte")) +
             "` is not in the language of serialized TorchScript");
  }
  if (c == '(' || c == '[' || c == '{') ++brackets_;
  if (c == ')' || c == ']' || c == '}') brackets_ = std::max(brackets_ - 1, 0);
  return Take(TokenKind::kSymbol, 1);
}

}  // namespace onnxport::torchscript
