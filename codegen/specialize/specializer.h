// Puts build-time knowledge into expressions: one walk for entries, definitions and repetitions.
#ifndef ONNXPORT_CODEGEN_SPECIALIZE_SPECIALIZER_H_
#define ONNXPORT_CODEGEN_SPECIALIZE_SPECIALIZER_H_

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "codegen/model/spec.h"

namespace onnxport::codegen {

// One for each scope: a copy may know more than the one that it is made of, as sibling scopes may use a name twice.
class Specializer {
 public:
  // With kAnyOpset (specialize.h), `opset` stays as it is.
  explicit Specializer(int opset) : opset_(opset) {}

  int opset() const { return opset_; }
  void Define(const std::string& name, ExprPtr value) { known_[name] = std::move(value); }
  // An argument that is never None. So `present(weight)` is True for an overload where `Tensor weight` cannot be None,
  // and the arm without it is gone.
  void DefinePresent(const std::string& name) { present_.insert(name); }
  // The name is that of something else from here on.
  void Forget(const std::string& name) {
    known_.erase(name);
    present_.erase(name);
  }
  ExprPtr Value(const ExprPtr& expr) const;
  // Where only the truth counts: `x and True` is x.
  ExprPtr Condition(const ExprPtr& expr) const;
  // Those whose value became known leave the list.
  std::vector<Let> Lets(const std::vector<Let>& lets);
  std::vector<Let> Values(std::vector<Let> lets) const;

 private:
  ExprPtr Call(const ExprPtr& expr) const;
  ExprPtr Conditional(const ExprPtr& expr) const;
  ExprPtr Logic(const ExprPtr& expr, bool condition) const;
  std::shared_ptr<Expr> Operands(const Expr& expr) const;

  int opset_;
  std::map<std::string, ExprPtr> known_;  // names whose values are known while building: literals and dicts
  std::set<std::string> present_;
};

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_SPECIALIZE_SPECIALIZER_H_
