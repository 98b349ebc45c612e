// Arms of generated code: the branches of a conditional, the cases, the called definitions. Code written with an `Arms`
// reports each arm that it takes to the coverage test (tests/conformance/arms.h).
#ifndef ONNXPORT_CODEGEN_EMIT_ARMS_H_
#define ONNXPORT_CODEGEN_EMIT_ARMS_H_

#include <map>
#include <string>
#include <utility>

#include "codegen/emit/cpp.h"
#include "codegen/model/spec.h"

namespace onnxport::codegen {

// C++ coverage tools do not help: an arm of the spec is not a line of C++, and coverage_test looks for conditions that
// no test takes both ways.
class Arms {
 public:
  // Sets the operator or definition that owns all arms from here on.
  void Enter(std::string owner) { owner_ = std::move(owner); }
  // Wraps `code`, the C++ condition of `conditional`: `Either("spec/aten/norm.yaml:12:34", code)`.
  cpp::Expr Either(const Expr& conditional, cpp::Expr code);
  // Returns the first statement of a case of `mapping` (`number` counts from 1), or of a definition.
  cpp::Statement Case(const Mapping& mapping, int number, const Expr* when);
  cpp::Statement Definition(const Def& def);
  // Wraps the reason of a refusal. The refusal belongs to the arm that was taken last.
  cpp::Expr Refusing(cpp::Expr reason) const { return cpp::Call("Refusing", {std::move(reason)}); }

  // Place of each arm, and its description: "spec/aten/norm.yaml:12:34 true", "aten::norm: `dim < 0` is true".
  const std::map<std::string, std::string>& texts() const { return texts_; }

 private:
  cpp::Statement Reached(std::string place, const std::string& text);

  std::string owner_;
  std::map<std::string, std::string> texts_;
};

// Returns the elements of a list, each as `{"place", "text"},`.
std::string ToText(const Arms& arms);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_ARMS_H_
