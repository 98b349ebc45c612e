#include "codegen/load/lexer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

#include "fmt/format.h"

namespace onnxport::codegen {
namespace {

constexpr size_t kLongestName = 64;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsWordCharacter(char c) { return IsLetter(c) || IsDigit(c); }

// Longer ones first. The first that fits is taken: with "*" before "**", `a ** b` would be two stars.
constexpr std::array<std::string_view, 24> kSymbols = {"**", "//", "==", "!=", "<=", ">=", "::", "+",
                                                       "-",  "*",  "/",  "%",  "<",  ">",  "=",  "(",
                                                       ")",  "[",  "]",  "{",  "}",  ",",  ":",  "."};

// Spellings from other languages, and the spelling here.
std::string Unexpected(std::string_view rest) {
  struct Hint {
    std::string_view seen, hint;
  };
  static constexpr Hint kHints[] = {{"&&", "write `and`"},
                                    {"||", "write `or`"},
                                    {"!", "write `not`"},
                                    {"?", "write `a if condition else b`"},
                                    {";", "an expression has no `;`"},
                                    {"^", "write `**` for a power"},
                                    {"\\", "there are no escapes"}};
  for (const Hint& hint : kHints) {
    if (rest.starts_with(hint.seen)) return fmt::format("`{}` is not part of the language; {}", hint.seen, hint.hint);
  }
  const unsigned char c = rest[0];
  if (c >= 0x80) return "only ASCII is allowed in an expression";
  return fmt::format("unexpected `{}`", rest[0]);
}

Token NewToken(TokenKind kind, size_t end) {
  Token token;
  token.kind = kind;
  token.end = end;
  return token;
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  // All tokens at once: the parser looks one ahead, and the formatter (format/expression_pieces.cc) reads the same list
  // without parsing it.
  std::vector<Token> Run() {
    std::vector<Token> tokens;
    for (SkipSpace(); position_ < text_.size(); SkipSpace()) tokens.push_back(Next());
    tokens.push_back(NewToken(TokenKind::kEnd, text_.size()));
    tokens.back().begin = text_.size();
    return tokens;
  }

 private:
  void SkipSpace() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\n')) ++position_;
  }
  char At(size_t position) const { return position < text_.size() ? text_[position] : '\0'; }

  Token Next() {
    const char c = text_[position_];
    Token token = IsLetter(c)                                              ? Name()
                  : IsDigit(c) || (c == '.' && IsDigit(At(position_ + 1))) ? Number()
                  : c == '"' || c == '\''                                  ? String()
                                                                           : Symbol();
    // The readers of the kinds only look ahead; here the position moves.
    token.begin = position_;
    position_ = token.end;
    return token;
  }

  Token Name() const {
    Token token = NewToken(TokenKind::kName, position_);
    while (IsWordCharacter(At(token.end))) ++token.end;
    token.text = text_.substr(position_, token.end - position_);
    if (!IsIdentifier(token.text)) {
      throw SyntaxError{position_, fmt::format("a name of {} characters; at most {}", token.text.size(), kLongestName)};
    }
    return token;
  }

  // Digits, one point, an exponent: as Python, without `_`, hexadecimal and leading zeros.
  Token Number() const {
    Token token = NewToken(TokenKind::kInt, position_);
    const auto digits = [&] {
      while (IsDigit(At(token.end))) ++token.end;
    };
    digits();
    if (At(token.end) == '.') {
      token.kind = TokenKind::kFloat;
      ++token.end;
      digits();
    }
    if (At(token.end) == 'e' || At(token.end) == 'E') {
      // `1e-5`, but of `1else` the "e" begins a word: an exponent has digits.
      const size_t sign = At(token.end + 1) == '-' || At(token.end + 1) == '+';
      if (IsDigit(At(token.end + 1 + sign))) {
        token.kind = TokenKind::kFloat;
        token.end += 1 + sign;
        digits();
      }
    }
    const std::string_view word = text_.substr(position_, token.end - position_);
    // `3x`, `1.2.3`: two tokens side by side would only fail later, at a place that says less.
    if (IsWordCharacter(At(token.end)) || At(token.end) == '.') {
      throw SyntaxError{token.end, fmt::format("`{}` right after the number {}", At(token.end), word.substr(0, 40))};
    }
    Convert(word, &token);
    return token;
  }

  void Convert(std::string_view word, Token* token) const {
    std::from_chars_result result{};
    if (token->kind == TokenKind::kInt) {
      if (word.size() > 1 && word[0] == '0') throw SyntaxError{position_, "a number with a leading zero"};
      result = std::from_chars(word.data(), word.data() + word.size(), token->int_value);
      // -2^63 is a number, 2^63 is none; the parser sees the minus (NegativeNumber).
      if (result.ec == std::errc() && token->int_value > uint64_t{1} << 63) result.ec = std::errc::result_out_of_range;
    } else {
      result = std::from_chars(word.data(), word.data() + word.size(), token->float_value);
    }
    if (result.ec != std::errc() || result.ptr != word.data() + word.size()) {
      throw SyntaxError{position_, "a number out of range"};
    }
  }

  // No escapes; what could end or change a C++ literal is not allowed in it.
  Token String() const {
    const char quote = text_[position_];
    const size_t close = text_.find(quote, position_ + 1);
    if (close == std::string_view::npos) throw SyntaxError{position_, "the text has no closing quote"};
    Token token = NewToken(TokenKind::kString, close + 1);
    token.text = text_.substr(position_ + 1, close - position_ - 1);
    for (size_t i = 0; i < token.text.size(); ++i) {
      const char c = token.text[i];
      if (c < 0x20 || c > 0x7E || c == '"' || c == '\\') {
        throw SyntaxError{position_ + 1 + i, "a text has printable ASCII only, without `\\` and `\"`"};
      }
    }
    return token;
  }

  Token Symbol() const {
    const std::string_view rest = text_.substr(position_);
    for (std::string_view symbol : kSymbols) {
      if (!rest.starts_with(symbol)) continue;
      Token token = NewToken(TokenKind::kSymbol, position_ + symbol.size());
      token.text = symbol;
      return token;
    }
    throw SyntaxError{position_, Unexpected(rest)};
  }

  std::string_view text_;
  size_t position_ = 0;
};

}  // namespace

std::vector<Token> Tokenize(std::string_view text) { return Lexer(text).Run(); }

bool IsIdentifier(std::string_view word) {
  return !word.empty() && word.size() <= kLongestName && IsLetter(word[0]) &&
         std::all_of(word.begin(), word.end(), IsWordCharacter);
}

}  // namespace onnxport::codegen
