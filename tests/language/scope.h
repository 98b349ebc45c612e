// Where a term of an entry stands: the names that it sees, and what they are.
#ifndef ONNXPORT_TESTS_LANGUAGE_SCOPE_H_
#define ONNXPORT_TESTS_LANGUAGE_SCOPE_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codegen/model/spec.h"
#include "runtime/aten/aten_schema.h"
#include "tests/language/interpreter.h"

namespace onnxport::language {

class Scope;

using Compute = std::function<lowering::Val()>;
using Lazy = lowering::Lazy<Compute>;

// The state that is the same everywhere in a call.
struct Run {
  lowering::Context* context;
  const codegen::SpecFile* spec;
  const codegen::OpEntry* entry;
  const ir::AtenSchema* schema;
  Scope* of_entry;
};

class Scope final : public Interpreter {
 public:
  Scope(const Run* run, Scope* outer) : Interpreter(run->context), run_(run), outer_(outer) {}

  void Bind(const std::string& name, lowering::Val value) { names_[name].known = std::move(value); }
  void BindLazily(const std::string& name, const Compute& make) { names_[name].made.emplace(context_.lazy(make)); }
  void Bind(const std::vector<codegen::Let>& lets);
  // One name for the element, or several for its parts.
  void BindElement(const std::vector<std::string>& names, const lowering::Val& element);
  // Carried values, lists and stacked tensors of the block's fold or loop.
  void BindRepetition(const codegen::Block& block);

  lowering::Val Name(const std::string& name) override;

 private:
  // A value that was made inside of a node's block is made again after the node.
  struct Named {
    std::optional<lowering::Val> known;
    std::optional<Lazy> made;
  };

  lowering::Val Part(const codegen::Let& let, size_t i);
  lowering::Val Constant(const codegen::Expr& expr) override;
  lowering::Val Other(const codegen::Expr& expr) override;
  lowering::Val Node(const codegen::Expr& expr);
  lowering::Val Call(const codegen::Expr& expr);
  lowering::Val Comprehension(const codegen::Expr& expr);
  const codegen::Expr* Dict(const std::string& name) const;
  const codegen::Def* Definition(const std::string& name) const;
  bool SeesArguments() const;

  const Run* run_;
  Scope* outer_;
  std::map<std::string, Named> names_;
  std::map<std::string, const codegen::Expr*> dicts_;
  std::map<const codegen::Let*, Lazy> wholes_;
  std::map<std::string, const codegen::Def*> given_;  // to the definition whose scope this is
};

// The results of a fold or a loop, by name.
Names RunRepetition(const codegen::Repetition& repetition, const Run& run, Scope* scope);

}  // namespace onnxport::language

#endif  // ONNXPORT_TESTS_LANGUAGE_SCOPE_H_
