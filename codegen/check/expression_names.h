// Checks that the names in an expression exist.
#ifndef ONNXPORT_CODEGEN_CHECK_EXPRESSION_NAMES_H_
#define ONNXPORT_CODEGEN_CHECK_EXPRESSION_NAMES_H_

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "codegen/check/known_defs.h"
#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

using Names = std::set<std::string>;

// A name never hides another: `dim` in a definition is its parameter, or the name is unknown. So specialize can replace
// a name by its value everywhere, and a reader need not ask which `x` is meant. Two scopes that are not nested may both
// define a name.
class ExpressionNames {
 public:
  ExpressionNames(KnownDefs defs, Diagnostics* diagnostics) : defs_(defs), diagnostics_(diagnostics) {}

  // Defines a new name. It is a mistake if the name is visible already.
  void Define(const std::string& name, const Place& place, Names* visible);
  // Marks the name as that of a dict.
  void DefineDict(const std::string& name, const Expr& dict);
  // Sets the parameters that stand for definitions, with the number of arguments of each; null for none. Must outlive
  // this.
  void SetGiven(const std::map<std::string, size_t>* given) { given_ = given; }
  // Checks names, functions and operators, and how many arguments they have. `whole_let` is true for the whole value of
  // a let.
  void Visit(const Expr& expr, const Names& visible, bool whole_let = false);

 private:
  void Operands(const Expr& expr, const Names& visible);
  void Star(const Expr& operand, const Names& visible);
  void List(const Expr& expr, const Names& visible);
  void Comprehension(const Expr& expr, const Names& visible);
  void CallBuiltin(const Expr& expr, const Names& visible);
  void KeptOperator(const Expr& name);
  void CallDef(const Expr& expr, const Names& visible);
  void CallWithGiven(const Def& def, const Expr& expr, const Names& visible);
  // Checks the operand for `param`, a parameter that stands for a definition of `count` arguments.
  void GivenDef(const Def& def, const std::string& param, size_t count, const Expr& operand);
  void Positional(const Expr& expr, std::string_view function, const Names& visible);
  void Arity(const Expr& expr, std::string_view function, size_t least, size_t most);
  void Node(const Expr& expr, const Names& visible);

  KnownDefs defs_;
  Diagnostics* diagnostics_;
  std::map<std::string, Names> dicts_;                    // dict -> its keys
  const std::map<std::string, size_t>* given_ = nullptr;  // of the definition that is checked
};

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_EXPRESSION_NAMES_H_
