// Finds the names that expressions use, and whether each use is sure to be evaluated.
#ifndef ONNXPORT_CODEGEN_MODEL_USES_H_
#define ONNXPORT_CODEGEN_MODEL_USES_H_

#include <functional>
#include <initializer_list>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "codegen/model/spec.h"

namespace onnxport::codegen {

// Name -> whether it is sure to be used. One arm of `a if c else b`, the right side of and/or, the body of a
// comprehension and what `statically_true` and `sized` evaluate are not sure to be evaluated.
using Uses = std::map<std::string, bool>;

// Uses of `expr` from outside it. Calls of `defs` count what their bodies use.
Uses UsesOf(const Expr& expr, std::span<const Def> defs);

// `visit` of an expression and of everything in it.
void ForEach(const Expr& expr, const std::function<void(const Expr&)>& visit);

// Names of the defs called in `expr`, which are not entered.
void AddCalls(const Expr& expr, std::set<std::string>* calls);

// The same, and the names of definitions that `expr` passes to a definition in `defs`. An example: `g` in `f(x, g)`, if
// the second parameter of `f` stands for a definition. Arguments may be named or not.
void AddCallsAndGiven(const Expr& expr, std::initializer_list<std::span<const Def>> defs, std::set<std::string>* names);

// Every expression of a mapping, in reading order.
std::vector<ExprPtr> ExpressionsOf(const Mapping& mapping);
std::vector<ExprPtr> ExpressionsOf(const Def& def);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_MODEL_USES_H_
