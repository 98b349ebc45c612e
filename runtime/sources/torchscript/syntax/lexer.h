// Splits the text of serialized TorchScript into tokens.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_LEXER_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_LEXER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/sources/torchscript/syntax/ast.h"

namespace onnxport::torchscript {

enum class TokenKind : uint8_t { kName, kNumber, kString, kSymbol, kNewline, kIndent, kDedent, kEnd };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  Offset offset = 0;
  std::string_view text;  // as written

  bool Is(std::string_view symbol_or_name) const {
    return (kind == TokenKind::kSymbol || kind == TokenKind::kName) && text == symbol_or_name;
  }
};

// Returns one token after another. Comments, and newlines inside brackets, are left out. After kNewline, a change of
// indentation gives kIndent or kDedent. Throws onnxport::Error (kBadInput) with module and line.
//   if x:        name if, name x, symbol :, newline, indent,
//     y = 1      name y, symbol =, number 1, newline, dedent,
//   z            name z, ...
class Lexer {
 public:
  Lexer(std::string_view text, std::string module);

  Token Next();

  // Throws "__torch__.Net, line 3: expected X, found Y" as an Error.
  [[noreturn]] void Fail(Offset offset, const std::string& message) const;

 private:
  bool StartLine(Token* token);
  void SkipBlanks();
  Token Line();
  Token Name();
  size_t NumberEnd(size_t end) const;
  Token Number();
  Token String();
  Token Symbol();
  Token Take(TokenKind kind, size_t size);
  char At(size_t position) const { return position < text_.size() ? text_[position] : '\0'; }

  std::string_view text_;
  std::string module_;
  size_t position_ = 0;
  int brackets_ = 0;
  bool at_line_start_ = true;
  bool is_qualified_ = false;  // the last name is `__torch__`, or comes behind it and dots
  // The indents of the open blocks, in characters; the outermost has none.
  std::vector<size_t> indents_ = {0};
  int dedents_ = 0;  // kDedent tokens still to be returned
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_LEXER_H_
