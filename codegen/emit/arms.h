// Arms of generated code: which way a conditional goes, which case is taken, which definition is called. Code that is
// written with an `Arms` tells the coverage test (tests/conformance/arms.h) of each arm as it is taken.
#ifndef ONNXPORT_CODEGEN_EMIT_ARMS_H_
#define ONNXPORT_CODEGEN_EMIT_ARMS_H_

#include <map>
#include <string>
#include <utility>

#include "codegen/emit/cpp.h"
#include "codegen/model/spec.h"

namespace onnxport::codegen {

// C++ coverage tools would not do. A line of C++ is not an arm of the spec, and coverage_test looks for arms that no
// test takes both ways.
class Arms {
 public:
  // Sets the operator or definition that owns all arms from here on.
  void Enter(std::string owner) { owner_ = std::move(owner); }
  // `code` is what the condition of `conditional` became: `Either("spec/aten/norm.yaml:12:34", code)`.
  cpp::Expr Either(const Expr& conditional, cpp::Expr code);
  // First statements of a case of `mapping` (`number` counts from 1) and of a definition.
  cpp::Statement Case(const Mapping& mapping, int number, const Expr* when);
  cpp::Statement Definition(const Def& def);
  // The reason of a refusal, which is the arm's that was taken last.
  cpp::Expr Refusing(cpp::Expr reason) const { return cpp::Call("Refusing", {std::move(reason)}); }

  // Place of each arm, and what it is: "spec/aten/norm.yaml:12:34 true", "aten::norm: `dim < 0` is true".
  const std::map<std::string, std::string>& texts() const { return texts_; }

 private:
  cpp::Statement Reached(std::string place, const std::string& text);

  std::string owner_;
  std::map<std::string, std::string> texts_;
};

// The elements of a list, each as `{"place", "text"},`.
std::string ToText(const Arms& arms);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_ARMS_H_
