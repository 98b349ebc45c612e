// Facts that follow from reading code.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_ANALYSIS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_ANALYSIS_H_

#include <set>
#include <span>
#include <string>

#include "runtime/sources/torchscript/syntax/ast.h"

namespace onnxport::torchscript {

// `ops.prim.RaiseException(message)`.
bool IsRaise(const Expr& value);
// Returns true if running the statements can only end in an exception.
bool AlwaysRaises(const StmtList& body);
// The variables that the statements may set, also those in blocks.
std::set<std::string> AssignedNames(const StmtList& body);
// Returns true if a statement reads the variable.
bool Reads(std::span<const Stmt> body, const std::string& name);
// Returns true if they may read the value that the variable has before them: they may set it anew first.
bool ReadsFirst(std::span<const Stmt> body, const std::string& name);
// Returns true if the value of the variable may be read once the statement or expression at `at` has ended. Code behind
// it, or the next round of a loop around it, may read it. `body` holds that statement, in a block or in none.
bool ReadsAfter(std::span<const Stmt> body, Offset at, const std::string& name);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_ANALYSIS_H_
