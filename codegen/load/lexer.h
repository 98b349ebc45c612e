// Tokens of the expression language.
#ifndef ONNXPORT_CODEGEN_LOAD_LEXER_H_
#define ONNXPORT_CODEGEN_LOAD_LEXER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace onnxport::codegen {

enum class TokenKind { kName, kInt, kFloat, kString, kSymbol, kEnd };

// Positions are bytes of the tokenized text; PlacedText::At turns them into places in the file.
struct Token {
  TokenKind kind = TokenKind::kEnd;
  size_t begin = 0;  // byte of the text
  size_t end = 0;
  std::string text;        // kName, kSymbol: as written; kString: the contents
  uint64_t int_value = 0;  // kInt: up to 2^63, which only a minus makes valid
  double float_value = 0;
};

inline bool IsNumber(const Token& token) { return token.kind == TokenKind::kInt || token.kind == TokenKind::kFloat; }

// Thrown by the lexer and the parser; caught where the expression starts.
struct SyntaxError {
  size_t position;
  std::string message;
};

// The tokens of a text, kEnd last. Throws SyntaxError.
std::vector<Token> Tokenize(std::string_view text);

bool IsIdentifier(std::string_view word);  // [A-Za-z_][A-Za-z0-9_]*, at most 64 bytes

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_LEXER_H_
