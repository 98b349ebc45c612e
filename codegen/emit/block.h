// Statements that functions and defs of generated code have in common.
#ifndef ONNXPORT_CODEGEN_EMIT_BLOCK_H_
#define ONNXPORT_CODEGEN_EMIT_BLOCK_H_

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codegen/emit/cpp.h"
#include "codegen/emit/expression.h"
#include "codegen/emit/let_plan.h"

namespace onnxport::codegen {

// The statements of a block under construction, and what can be seen in it.
class BlockWriter {
 public:
  explicit BlockWriter(const ExpressionWriter* writer, Scope scope = {}) : writer_(writer), scope_(std::move(scope)) {}

  // An empty block that sees what this one sees.
  BlockWriter Inner() const { return BlockWriter(writer_, scope_); }

  void Add(cpp::Statement statement) { statements_.push_back(std::move(statement)); }
  // A local for a name of the spec: its C++ name.
  std::string Declare(const std::string& name);
  // A local of the generator's own.
  std::string Own(std::string_view wanted) { return writer_->names().Own(wanted, &scope_.own); }
  void Bind(const std::string& name, Typed value) { scope_.values[name] = std::move(value); }
  // `const Val x = ...;`, `Lazy x = c.lazy([&] { ... });`, `const auto [x, y] = ...`. `used`: names that something asks
  // for.
  void AddLet(const PlannedLet& planned, const std::set<std::string>& used);

  // Names for the elements of a list, or for those that are `used`.
  void AddUnpacked(const std::vector<std::string>& names, const std::set<std::string>& used, cpp::Expr list);

  const Scope& scope() const { return scope_; }
  const ExpressionWriter& writer() const { return *writer_; }
  cpp::Expr Value(const Expr& expr) const { return writer_->Value(expr, scope_); }
  // One value per let, for braces.
  cpp::Expr Values(const std::vector<Let>& lets) const;
  cpp::Block Take() { return std::move(statements_); }

 private:
  void AddLets(const PlannedLet& planned, const std::set<std::string>& used);

  const ExpressionWriter* writer_;
  Scope scope_;
  cpp::Block statements_;
};

// Names that the expressions give to the elements of lists.
void AddTargets(const std::vector<ExprPtr>& expressions, std::set<std::string>* names);
// C++ names of the functions of the language that the expressions call.
void AddBuiltins(const std::vector<ExprPtr>& expressions, std::set<std::string>* called);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_BLOCK_H_
