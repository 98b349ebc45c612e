// Chooses the names of the locals of a generated function.
#ifndef ONNXPORT_CODEGEN_EMIT_LOCAL_NAMES_H_
#define ONNXPORT_CODEGEN_EMIT_LOCAL_NAMES_H_

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace onnxport::codegen {

// A name of the spec keeps its spelling if C++ allows it. `dim` stays `dim`, but becomes `dim_` in a function that
// calls `dim()`, and `dim_2` if the spec has a `dim_`, too. The generator's own locals never take a name of the spec.
class LocalNames {
 public:
  LocalNames() = default;
  // `spec` has every name that the spec defines in this function. `called` has the C++ names of the functions it calls.
  LocalNames(const std::set<std::string>& spec, std::set<std::string> called);

  // The local of a name of the spec; different names have different locals.
  const std::string& OfSpec(const std::string& name) const { return locals_.at(name); }

  // Returns a new local of the generator's own, with a name like `wanted`. `visible` are the names visible there; the
  // new name is added.
  std::string Own(std::string_view wanted, std::set<std::string>* visible) const;

 private:
  std::map<std::string, std::string> locals_;
  std::set<std::string> taken_;  // C++ names of the spec's locals and of called functions
};

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_LOCAL_NAMES_H_
