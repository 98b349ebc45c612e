// Finds facts about code without running it.
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
// The variables that the statements may set, including those in nested blocks.
std::set<std::string> AssignedNames(const StmtList& body);
// Returns true if a statement reads the variable.
bool Reads(std::span<const Stmt> body, const std::string& name);
// Returns true if the statements may read the value that the variable had before. They may also set it first.
bool ReadsFirst(std::span<const Stmt> body, const std::string& name);
// Returns true if the variable may be read after the statement or expression at `at`: by code after it, or in the next
// round of a loop around it. `body` contains that statement, in a block or directly.
bool ReadsAfter(std::span<const Stmt> body, Offset at, const std::string& name);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_ANALYSIS_H_
