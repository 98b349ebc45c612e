// Statements that functions and defs of generated code have in common.
#ifndef ONNXPORT_CODEGEN_EMIT_BLOCK_H_
#define ONNXPORT_CODEGEN_EMIT_BLOCK_H_

#include <set>
#include <string>
#include <vector>

#include "codegen/emit/expression.h"
#include "codegen/emit/let_plan.h"

namespace onnxport::codegen {

// The statements of a function under construction, and the names that are in scope.
class Block {
 public:
  Block(const ExpressionWriter* writer, int indent) : writer_(writer), indent_(indent) {}

  void Statement(const std::string& text);
  void Open(const std::string& text);  // "if (...) {": what follows is indented
  void Close();
  // `const Val x = ...;`, `Lazy x([&] { ... });`, and for several names one per name that is `used`.
  void AddLet(const PlannedLet& planned, const std::set<std::string>& used);
  // Declares a local of type Val that is assigned later.
  void AddVariable(const std::string& name, const Expr& value);
  void Bind(const std::string& name, Binding binding) { scope_[name] = std::move(binding); }

  const Scope& scope() const { return scope_; }
  void set_scope(Scope scope) { scope_ = std::move(scope); }
  const ExpressionWriter& writer() const { return *writer_; }
  std::string Value(const Expr& expr) const { return writer_->Value(expr, scope_); }
  std::string Local(const std::string& name) const { return writer_->Local(name); }
  const std::string& text() const { return text_; }
  std::string& text() { return text_; }

 private:
  const ExpressionWriter* writer_;
  int indent_;
  Scope scope_;
  std::string text_;
};

// `return value;` of a def with its lets, as statements of `block`.
void AddDefBody(const Def& def, std::span<const Def> defs, Block* block);

// C++ names of everything that the expressions call.
std::set<std::string> CalledNames(const std::vector<ExprPtr>& expressions);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_BLOCK_H_
