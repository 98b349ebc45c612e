// Computes with kinds instead of values.
#ifndef ONNXPORT_CODEGEN_CHECK_EVALUATOR_H_
#define ONNXPORT_CODEGEN_CHECK_EVALUATOR_H_

#include <map>
#include <string>
#include <vector>

#include "codegen/check/environment.h"
#include "codegen/check/issues.h"
#include "codegen/check/kind.h"
#include "codegen/check/node_check.h"
#include "codegen/model/spec.h"

namespace onnxport::codegen {

// `rank(self) - 1` of a tensor is an int. `self + 1` is a tensor with the dtypes of `self`. An expression is a mistake
// if it fails for all values of the kinds: `len(self)`. If it fails for some of them, the check happens at run time.
class Evaluator {
 public:
  // `file_defs` and `entry_defs` are specialized for the same opset.
  Evaluator(const NodeContext& context, const std::vector<Def>& file_defs, const std::vector<Def>& entry_defs)
      : context_(context), file_defs_(file_defs), entry_defs_(entry_defs) {}

  // Sets the environment in which the bodies of entry_defs are evaluated: the names of the entry.
  void set_entry(const Environment* entry) { entry_ = entry; }
  void set_compute_in(const ComputeIn* rule) { context_.compute_in = rule; }

  Kind Evaluate(const ExprPtr& expr, Environment& names);
  // Adds the names that a repetition defines to `names`.
  void Repeat(const Repetition& repetition, Environment& names);
  // Adds to `names` the facts that hold when a condition is true or false.
  void Assume(const ExprPtr& condition, bool truth, Environment& names);

 private:
  Kind Name(const Expr& expr, Environment& names);
  Kind Call(const ExprPtr& expr, Environment& names);
  Kind Node(const Expr& expr, Environment& names);
  Kind CallDef(const Def& def, const Expr& call, Environment& names, bool of_entry);
  Kind CallBuiltin(const Expr& expr, const std::vector<Kind>& args);
  void CheckArguments(const Expr& expr, const std::vector<Kind>& args);
  Kind Conditional(const Expr& expr, Environment& names);
  Kind Logic(const Expr& expr, Environment& names);
  Kind Comparison(const Expr& expr, Environment& names);
  Kind Arithmetic(const Expr& expr, const Kind& a, const Kind& b);
  void ReportUncomputable(const Expr& expr);
  Kind ListArithmetic(const Expr& expr, const Kind& a, const Kind& b);
  Kind List(const Expr& expr, Environment& names);
  Kind Comprehension(const Expr& expr, Environment& names);
  Kind Index(const Expr& expr, Environment& names);
  void DefineEach(const Repetition& repetition, Environment& names, Environment* inner);
  void Carry(const Repetition& repetition, Environment& names, Environment* inner);
  void AssumeCall(const Expr& expr, bool truth, Environment& names);
  void AssumeComparison(const Expr& expr, bool truth, Environment& names);
  void Restrict(const std::string& name, ir::DTypeSet dtypes, bool keep, Environment& names);
  void Issue(const Place& place, const std::string& what) { context_.issues->Add(place, context_.opset, what); }

  Kind EvaluateKind(const ExprPtr& expr, Environment& names);

  NodeContext context_;
  const std::vector<Def>& file_defs_;
  const std::vector<Def>& entry_defs_;
  const Environment* entry_ = nullptr;

  int budget_ = 200000;  // expressions still to evaluate: defs that call defs could go on for ever
  // The depth of evaluation. It goes into lets and definitions, so it is not the depth of the text.
  int depth_ = 0;
};

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_EVALUATOR_H_
