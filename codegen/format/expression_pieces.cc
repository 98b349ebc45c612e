#include "codegen/format/expression_pieces.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "codegen/load/lexer.h"
#include "codegen/load/names.h"

namespace onnxport::codegen {
namespace {

// A line ends behind the operator, as in Python code.
Break BreakAfter(std::string_view word) {
  static constexpr std::pair<std::string_view, Break> kRows[] = {
      {",", Break::kComma},    {"else", Break::kElse},  {"or", Break::kOr},      {"and", Break::kAnd},
      {"in", Break::kCompare}, {"==", Break::kCompare}, {"!=", Break::kCompare}, {"<", Break::kCompare},
      {"<=", Break::kCompare}, {">", Break::kCompare},  {">=", Break::kCompare}, {"+", Break::kSum},
      {"-", Break::kSum},      {"*", Break::kProduct},  {"/", Break::kProduct},  {"//", Break::kProduct},
      {"%", Break::kProduct}};
  const auto* row = std::find_if(std::begin(kRows), std::end(kRows), [&](const auto& r) { return r.first == word; });
  return row == std::end(kRows) ? Break::kNone : row->second;
}

// Turns the tokens of one bracket after the other into pieces.
class PieceReader {
 public:
  explicit PieceReader(std::string_view text) : text_(text), tokens_(Tokenize(text)) {}

  // Up to the bracket's end, or the end of the text. `bracket`: what opened it.
  Pieces Read(char bracket) {
    Pieces pieces;
    bool in_targets = false;  // between `for` and `in`
    bool glued = true;        // no space before what comes
    // True after a value: then a `-` or `*` is infix, as in `a - b`. Otherwise it is a prefix and sticks to the next
    // token, as in `f(-b, *c)`.
    bool value_before = false;
    for (; tokens_[index_].kind != TokenKind::kEnd && !IsClose(tokens_[index_]); ++index_) {
      const Token& token = tokens_[index_];
      const bool is_word = token.kind == TokenKind::kName && IsKeyword(token.text);
      if (IsOpen(token)) {
        Open(token, value_before, glued, &pieces);
        glued = false;
        value_before = true;
        continue;
      }
      const bool is_symbol = token.kind == TokenKind::kSymbol;
      const bool is_prefix =
          is_symbol && !value_before && (token.text == "-" || token.text == "*" || token.text == "**");
      // `axis=1`, `com.microsoft`, `functional::f`, `x[1:3]`; in a dict, `{a: b}`, the colon only sticks to the left.
      const bool is_tight = is_symbol && (token.text == "=" || token.text == "." || token.text == "::" ||
                                          (token.text == ":" && bracket == '['));
      const bool sticks = is_tight || (is_symbol && (token.text == "," || token.text == ":"));
      if (token.text == "for" && is_word) in_targets = true;
      if ((token.text == "for" || token.text == "if") && is_word && !pieces.empty()) pieces.back().after = Break::kIf;
      Piece piece{.text = Text(token), .space = !glued && !sticks, .after = Break::kNone, .inner = {}, .close = {}};
      if (is_word || (is_symbol && !is_prefix && !is_tight)) piece.after = BreakAfter(token.text);
      // `for a, b in xs` is not broken at its comma.
      if (in_targets) piece.after = Break::kNone;
      if (token.text == "in" && is_word) in_targets = false;
      glued = is_prefix || is_tight;
      value_before = !is_symbol && !is_word;
      pieces.push_back(std::move(piece));
    }
    return pieces;
  }

 private:
  static bool IsOpen(const Token& token) {
    return token.kind == TokenKind::kSymbol && (token.text == "(" || token.text == "[" || token.text == "{");
  }
  static bool IsClose(const Token& token) {
    return token.kind == TokenKind::kSymbol && (token.text == ")" || token.text == "]" || token.text == "}");
  }

  // A call and an index belong to what stands before them.
  void Open(const Token& token, bool value_before, bool glued, Pieces* pieces) {
    Piece group{.text = token.text, .space = !glued, .after = Break::kNone, .inner = {}, .close = {}};
    if (value_before && pieces->back().close.empty()) {
      group.text = pieces->back().text + group.text;
      group.space = pieces->back().space;
      pieces->pop_back();
    } else if (value_before) {
      group.space = false;
    }
    ++index_;
    group.inner = Read(token.text[0]);
    group.close = tokens_[index_].text;
    pieces->push_back(std::move(group));
  }

  std::string Text(const Token& token) const {
    if (token.kind == TokenKind::kString) return "\"" + token.text + "\"";
    return std::string(text_.substr(token.begin, token.end - token.begin));
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  size_t index_ = 0;
};

}  // namespace

Pieces ExpressionPieces(std::string_view text) { return PieceReader(text).Read('('); }

}  // namespace onnxport::codegen
