// The kinds of the names in scope, and the facts that a condition adds.
#ifndef ONNXPORT_CODEGEN_CHECK_ENVIRONMENT_H_
#define ONNXPORT_CODEGEN_CHECK_ENVIRONMENT_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/check/kind.h"
#include "codegen/model/spec.h"

namespace onnxport::codegen {

// Names of one scope. A let is computed from its expression each time something was learned, so that
// `m: mask if present(mask) else None` is a tensor where `present(mask)` holds. Scopes are copied for each arm, with
// what was learned so far: so what one arm assumes never reaches the other.
class Environment {
 public:
  struct Name {
    Kind kind;      // of an argument, target or parameter
    ExprPtr let;    // of a let: its value
    int item = -1;  // `a, b: value`: which of the results
  };

  void Define(const std::string& name, Name value) { names_[name] = std::move(value); }
  void DefineValue(const std::string& name, Kind kind);
  void DefineLets(const std::vector<Let>& lets);
  const Name* Find(const std::string& name) const;
  bool IsLet(const std::string& name) const;
  // The kind that was learned about a name or computed for it, or null.
  const Kind* Known(const std::string& name) const;
  void Remember(const std::string& name, Kind kind) { computed_[name] = std::move(kind); }

  // Tensors that a promotion gave one type: learning one's dtype is learning all.
  void SetPromoted(std::set<std::string> names) { promoted_ = std::move(names); }
  const std::set<std::string>& promoted() const { return promoted_; }

  void Learn(const std::string& name, Kind kind);
  // Computes lets anew: something they depend on besides names changed.
  void Forget() { computed_.clear(); }
  // Something was learned that no value satisfies: what follows cannot happen.
  bool impossible() const { return impossible_; }

 private:
  std::map<std::string, Name> names_;
  // Wins over the let or argument itself.
  std::map<std::string, Kind> learned_;
  // A cache, of lets only.
  std::map<std::string, Kind> computed_;
  std::set<std::string> promoted_;
  bool impossible_ = false;
};

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_ENVIRONMENT_H_
