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

// The names of one scope. After each new fact, the lets are computed again from their expressions. So `m: mask if
// present(mask) else None` is a tensor where `present(mask)` holds. Each arm gets a copy of the scope with the facts so
// far, so its own facts never reach the other arm.
class Environment {
 public:
  struct Name {
    Kind kind;      // of an argument, target or parameter
    ExprPtr let;    // of a let: its value
    int item = -1;  // `a, b: value`: the index of the result
  };

  void Define(const std::string& name, Name value) { names_[name] = std::move(value); }
  void DefineValue(const std::string& name, Kind kind);
  void DefineLets(const std::vector<Let>& lets);
  const Name* Find(const std::string& name) const;
  bool IsLet(const std::string& name) const;
  // The kind that was learned about a name or computed for it; null if there is none.
  const Kind* Known(const std::string& name) const;
  void Remember(const std::string& name, Kind kind) { computed_[name] = std::move(kind); }

  // A promotion gave these tensors one dtype, so a fact about the dtype of one holds for all.
  void SetPromoted(std::set<std::string> names) { promoted_ = std::move(names); }
  const std::set<std::string>& promoted() const { return promoted_; }

  void Learn(const std::string& name, Kind kind);
  // Discards the computed kinds of lets, because something other than a name changed.
  void Forget() { computed_.clear(); }
  // Returns true if no value satisfies all facts, so the code for this scope can never run.
  bool impossible() const { return impossible_; }

 private:
  std::map<std::string, Name> names_;
  // These facts take precedence over the let or argument itself.
  std::map<std::string, Kind> learned_;
  // A cache, for lets only.
  std::map<std::string, Kind> computed_;
  std::set<std::string> promoted_;
  bool impossible_ = false;
};

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_ENVIRONMENT_H_
