// The tokens with two of lookahead, and the errors and the nesting count for all parts of the parser.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_TOKENS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_TOKENS_H_

#include <string>
#include <string_view>
#include <utility>

#include "runtime/sources/torchscript/syntax/lexer.h"
#include "runtime/sources/torchscript/syntax/parser.h"

namespace onnxport::torchscript {

// The second one distinguishes `f(alpha=2)` from `f(alpha)`: a name before `=` is a keyword. Nothing else needs it.
class Tokens {
 public:
  Tokens(std::string_view text, std::string module)
      : lexer_(text, std::move(module)), current_(lexer_.Next()), next_(lexer_.Next()) {}

  const Token& current() const { return current_; }
  const Token& next() const { return next_; }
  bool At(std::string_view symbol_or_name) const { return current_.Is(symbol_or_name); }
  bool At(TokenKind kind) const { return current_.kind == kind; }

  Token Take() {
    Token token = std::exchange(current_, next_);
    // After the last token, kEnd is returned again and again.
    if (next_.kind != TokenKind::kEnd) next_ = lexer_.Next();
    return token;
  }
  bool Accept(std::string_view symbol_or_name) {
    if (!At(symbol_or_name)) return false;
    Take();
    return true;
  }
  void Expect(std::string_view symbol_or_name) {
    if (!Accept(symbol_or_name)) FailExpected("`" + std::string(symbol_or_name) + "`");
  }
  void Expect(TokenKind kind, const char* what) {
    if (!At(kind)) FailExpected(what);
    Take();
  }
  std::string ExpectName(const char* what) {
    if (!At(TokenKind::kName)) FailExpected(what);
    return std::string(Take().text);
  }
  void EndLine() { Expect(TokenKind::kNewline, "the end of the line"); }

  [[noreturn]] void Fail(Offset offset, const std::string& message) const { lexer_.Fail(offset, message); }
  [[noreturn]] void FailExpected(const std::string& what) const {
    const bool is_visible = !current_.text.empty() && current_.text != "\n";
    const std::string found = is_visible                         ? "`" + std::string(current_.text.substr(0, 40)) + "`"
                              : current_.kind == TokenKind::kEnd ? "the end of the file"
                              : current_.kind == TokenKind::kNewline ? "the end of the line"
                                                                     : "another indentation";
    Fail(current_.offset, "expected " + what + ", found " + found);
  }

  // Hold it while something nested is read. A tree is read, walked and freed recursively. Without a limit, a megabyte
  // of `(` would end the process.
  class Nesting {
   public:
    explicit Nesting(Tokens* tokens) : tokens_(tokens) { Deepen(); }
    ~Nesting() { tokens_->depth_ -= levels_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

    // Adds one more level, which ends together with the first.
    void Deepen() {
      ++levels_;
      if (++tokens_->depth_ > kMaxNesting) {
        tokens_->Fail(tokens_->current_.offset, "nested deeper than " + std::to_string(kMaxNesting));
      }
    }

   private:
    Tokens* tokens_;
    int levels_ = 0;
  };

 private:
  Lexer lexer_;
  Token current_;
  Token next_;
  int depth_ = 0;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_TOKENS_H_
