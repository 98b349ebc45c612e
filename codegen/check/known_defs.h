// The definitions that can be called from a place.
#ifndef ONNXPORT_CODEGEN_CHECK_KNOWN_DEFS_H_
#define ONNXPORT_CODEGEN_CHECK_KNOWN_DEFS_H_

#include <set>
#include <span>
#include <string>
#include <vector>

#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

// The definitions of the entry, those of the file, and those of libraries that the file calls. They outlive this.
class KnownDefs {
 public:
  KnownDefs(std::span<const Def> of_entry, std::span<const Def> of_file) : of_entry_(of_entry), of_file_(of_file) {}

  std::span<const Def> of_entry() const { return of_entry_; }
  // Returns null for an unknown name.
  const Def* Find(const std::string& name) const;
  void AddNames(std::set<std::string>* names) const;
  // Adds the definitions that the expression calls or passes to a call.
  void AddCalled(const Expr& expr, std::set<std::string>* called) const;
  // Reports a definition that calls itself, directly or not, and chains of calls that are too long to follow.
  void CheckRecursion(const Def& def, Diagnostics* diagnostics) const;

 private:
  bool LeadsTo(const Def& def, const std::string& target, std::vector<std::string>* path,
               std::set<std::string>* seen) const;

  std::span<const Def> of_entry_;
  std::span<const Def> of_file_;
};

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_KNOWN_DEFS_H_
