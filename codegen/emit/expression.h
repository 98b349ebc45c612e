// Writes expressions of the spec language as C++ that uses runtime/lowering/dsl/builtins.h.
#ifndef ONNXPORT_CODEGEN_EMIT_EXPRESSION_H_
#define ONNXPORT_CODEGEN_EMIT_EXPRESSION_H_

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "codegen/emit/arms.h"
#include "codegen/emit/cpp.h"
#include "codegen/emit/local_names.h"
#include "codegen/model/expr.h"

namespace onnxport::codegen {

// The C++ type of an expression. All types other than kVal convert to Val.
enum class CppType { kVal, kBool, kInt, kFloat, kText, kDType, kList };

struct Typed {
  cpp::Expr code;
  CppType type = CppType::kVal;
};

// The names that are visible at a place of a generated function.
struct Scope {
  std::map<std::string, Typed> values;  // name of the spec -> its C++: `x`, `dim_`, `bias()` for a Lazy
  std::set<std::string> own;            // the generator's own locals
};

// How a call of a def is written.
struct DefCall {
  std::string function;
  bool takes_context = false;
};

// Writes the expressions of one function. They are specialized and checked.
class ExpressionWriter {
 public:
  // `arms` is null outside the coverage test.
  ExpressionWriter(const LocalNames* names, std::function<DefCall(const std::string&)> call_def, Arms* arms = nullptr)
      : names_(names), call_def_(std::move(call_def)), arms_(arms) {}

  // An expression that converts to Val.
  cpp::Expr Value(const Expr& expr, const Scope& scope) const { return Write(expr, scope).code; }
  // An expression of type Val itself.
  cpp::Expr Val(const Expr& expr, const Scope& scope) const;
  // For a list as the only element of braces: C++ would take it for the braces themselves.
  cpp::Expr ListSafe(const Expr& expr, const Scope& scope) const;
  // An expression for `if (...)`.
  cpp::Expr Condition(const Expr& expr, const Scope& scope) const { return WriteCondition(expr, scope).code; }
  // An expression of type bool.
  cpp::Expr Bool(const Expr& expr, const Scope& scope) const;

  // Writes the reason of a refusal.
  cpp::Expr Reason(cpp::Expr reason) const { return arms_ ? arms_->Refusing(std::move(reason)) : reason; }

  const LocalNames& names() const { return *names_; }
  Arms* arms() const { return arms_; }

 private:
  Typed Write(const Expr& expr, const Scope& scope) const;
  Typed WriteCondition(const Expr& expr, const Scope& scope) const;
  Typed Name(const Expr& expr, const Scope& scope) const;
  Typed CallBuiltin(const Expr& expr, const Scope& scope) const;
  Typed CallDef(const Expr& expr, const Scope& scope) const;
  Typed Node(const Expr& expr, const Scope& scope) const;
  Typed List(const Expr& expr, const Scope& scope) const;
  Typed Comprehension(const Expr& expr, const Scope& scope) const;
  Typed Conditional(const Expr& expr, const Scope& scope) const;
  Typed Unary(const Expr& expr, const Scope& scope) const;
  Typed Infix(const Expr& expr, const Scope& scope) const;
  Typed Logic(const Expr& expr, const Scope& scope) const;
  Typed LogicCondition(const Expr& expr, const Scope& scope) const;
  Typed Element(const Expr& expr, const Scope& scope) const;
  cpp::Exprs Values(const std::vector<ExprPtr>& exprs, const Scope& scope) const;

  const LocalNames* names_;
  std::function<DefCall(const std::string&)> call_def_;
  Arms* arms_;
};

// A constant of the spec language: a literal, a dtype.
Typed Constant(const Expr& expr);

// Returns c.method(arguments), a call of the function's Context.
cpp::Expr ContextMethod(std::string_view method, cpp::Exprs arguments);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_EXPRESSION_H_
