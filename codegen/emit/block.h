// Writes the statements that functions and defs of generated code have in common.
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

// The statements of a block under construction, and the names that are visible in it.
class BlockWriter {
 public:
  explicit BlockWriter(const ExpressionWriter* writer, Scope scope = {}) : writer_(writer), scope_(std::move(scope)) {}

  // Returns an empty block with the same visible names.
  BlockWriter Inner() const { return BlockWriter(writer_, scope_); }

  void Add(cpp::Statement statement) { statements_.push_back(std::move(statement)); }
  // Adds a local for a name of the spec, and returns its C++ name.
  std::string Declare(const std::string& name);
  // Returns the name of a new local of the generator's own.
  std::string Own(std::string_view wanted) { return writer_->names().Own(wanted, &scope_.own); }
  void Bind(const std::string& name, Typed value) { scope_.values[name] = std::move(value); }
  // Adds `const Val x = ...;`, `Lazy x = c.lazy([&] { ... });`, or `const auto [x, y] = ...`. `used` are the names that
  // some expression reads.
  void AddLet(const PlannedLet& planned, const std::set<std::string>& used);

  // Adds names for the elements of a list, or only for those in `used`.
  void AddUnpacked(const std::vector<std::string>& names, const std::set<std::string>& used, cpp::Expr list);

  const Scope& scope() const { return scope_; }
  const ExpressionWriter& writer() const { return *writer_; }
  cpp::Expr Value(const Expr& expr) const { return writer_->Value(expr, scope_); }
  // Returns one value per let, to be put in braces.
  cpp::Expr Values(const std::vector<Let>& lets) const;
  cpp::Block Take() { return std::move(statements_); }

 private:
  void AddLets(const PlannedLet& planned, const std::set<std::string>& used);

  const ExpressionWriter* writer_;
  Scope scope_;
  cpp::Block statements_;
};

// Adds the names that the expressions give to the elements of lists.
void AddTargets(const std::vector<ExprPtr>& expressions, std::set<std::string>* names);
// Adds the C++ names of the builtins that the expressions call.
void AddBuiltins(const std::vector<ExprPtr>& expressions, std::set<std::string>* called);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_BLOCK_H_
