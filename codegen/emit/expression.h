// Expressions of the spec language as C++ over runtime/lowering/val.h.
#ifndef ONNXPORT_CODEGEN_EMIT_EXPRESSION_H_
#define ONNXPORT_CODEGEN_EMIT_EXPRESSION_H_

#include <functional>
#include <map>
#include <set>
#include <string>

#include "codegen/model/expr.h"

namespace onnxport::codegen {

// The C++ type of an expression; all but kVal convert to Val.
enum class CppType { kVal, kBool, kInt, kFloat, kText, kDType, kList };

// How a name of the spec is written: `x`, `dim_`, `bias()` for a Lazy.
struct Binding {
  std::string text;
  CppType type = CppType::kVal;
};
using Scope = std::map<std::string, Binding>;

// One function's expressions. The expressions are folded and checked.
class ExpressionWriter {
 public:
  // `called`: C++ names that locals must not hide. `call_def`: how the call of a def begins, "conv(c, " or "rep(".
  ExpressionWriter(int opset, std::set<std::string> called, std::function<std::string(const std::string&)> call_def)
      : opset_(opset), called_(std::move(called)), call_def_(std::move(call_def)) {}

  // An expression that converts to Val.
  std::string Value(const Expr& expr, const Scope& scope) const { return Write(expr, scope).text; }
  // An expression of type Val itself.
  std::string Val(const Expr& expr, const Scope& scope) const;
  // For the only element of braces: a list in it would be taken for the braces themselves.
  std::string ListSafe(const Expr& expr, const Scope& scope) const;
  // An expression for `if (...)`.
  std::string Condition(const Expr& expr, const Scope& scope) const { return WriteCondition(expr, scope).text; }
  // An expression of type bool.
  std::string Bool(const Expr& expr, const Scope& scope) const;
  // Declares a local: the name it has in C++.
  std::string Local(const std::string& name) const;

 private:
  struct Code {
    std::string text;
    CppType type = CppType::kVal;
    int strength = 10;  // of the outermost operator, as C++ ranks them; 10: none
  };
  Code Write(const Expr& expr, const Scope& scope) const;
  Code WriteCondition(const Expr& expr, const Scope& scope) const;
  Code Name(const Expr& expr, const Scope& scope) const;
  Code CallBuiltin(const Expr& expr, const Scope& scope) const;
  Code Node(const Expr& expr, const Scope& scope) const;
  Code List(const Expr& expr, const Scope& scope) const;
  Code Comprehension(const Expr& expr, const Scope& scope) const;
  Code Conditional(const Expr& expr, const Scope& scope) const;
  Code Unary(const Expr& expr, const Scope& scope) const;
  Code Infix(const Expr& expr, const Scope& scope) const;
  Code Logic(const Expr& expr, const Scope& scope) const;
  Code LogicCondition(const Expr& expr, const Scope& scope) const;
  Code Element(const Expr& expr, const Scope& scope) const;
  std::string Arguments(const Expr& expr, const Scope& scope) const;

  int opset_;
  std::set<std::string> called_;
  std::function<std::string(const std::string&)> call_def_;
};

// "text" as a C++ literal, whatever is in it.
std::string CppString(std::string_view text);
// An integer as a C++ literal.
std::string CppInt(int64_t value);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_EXPRESSION_H_
