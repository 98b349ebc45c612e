// The parser behind expression.h. Throws SyntaxError.
#ifndef ONNXPORT_CODEGEN_LOAD_PARSER_H_
#define ONNXPORT_CODEGEN_LOAD_PARSER_H_

#include <algorithm>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/load/lexer.h"
#include "codegen/load/placed_text.h"
#include "codegen/model/expr.h"

namespace onnxport::codegen {

class Parser {
 public:
  explicit Parser(const PlacedText& text);

  ExprPtr Expression();  // the form with the lowest precedence: `a if c else b`
  ExprPtr Operators(
      Precedence outer = Precedence::kNone);  // without a conditional; `outer`: of the operator to the left
  std::vector<std::string> Targets();         // `a, b`: new names
  // `a, f(x, y)`: the parameters of a definition. `f` stands for a definition with as many arguments.
  std::vector<std::string> Parameters(std::map<std::string, size_t>* given);
  std::string NewName();
  std::string Word(std::string_view what);  // any name
  bool Accept(std::string_view symbol_or_word);
  void Expect(std::string_view symbol_or_word);
  void ExpectEnd();
  bool Sees(std::string_view symbol_or_word) const;
  [[noreturn]] void Fail(const std::string& message) const;  // at the current token
  Place place() const;                                       // of the current token
  size_t position() const { return current().begin; }

 private:
  class Nesting;

  Expr* New(ExprKind kind, ExprPtr* holder, size_t position);
  ExprPtr Make(ExprKind kind, size_t position, std::initializer_list<ExprPtr> operands, std::string text = {});
  ExprPtr MakeOperator(Operator op, size_t position, std::initializer_list<ExprPtr> operands);
  ExprPtr Unary();
  ExprPtr Power();
  ExprPtr Postfix();
  ExprPtr Atom();
  ExprPtr NameOrCall();
  ExprPtr Call(std::string name, size_t position);
  void CallArgument(Expr* call);
  ExprPtr ListOrComprehension();
  ExprPtr Comprehension(ExprPtr element, size_t position);
  ExprPtr ListElement();
  ExprPtr Dict();
  ExprPtr Subscript(ExprPtr base);
  ExprPtr Field(ExprPtr base);
  ExprPtr Literal();
  ExprPtr NegativeNumber(size_t position);
  const OperatorInfo* SeesInfix() const;
  void AcceptInfix(const OperatorInfo& infix);
  const Token& current() const { return tokens_[index_]; }
  const Token& following() const { return tokens_[std::min(index_ + 1, tokens_.size() - 1)]; }
  std::string Seen() const;

  PlacedText text_;
  std::vector<Token> tokens_;
  // The index of the current token. No rule accepts kEnd, the last one, so the index never passes it.
  size_t index_ = 0;
  int depth_ = 0;
  // The number of nodes of this expression so far, for kMaxNodes.
  int nodes_ = 0;
};

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_PARSER_H_
