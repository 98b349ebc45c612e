// Handles the variables that blocks assign.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_ASSIGNED_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_ASSIGNED_H_

#include "runtime/sources/torchscript/interpret/execution.h"
#include "runtime/sources/torchscript/syntax/ast.h"

namespace onnxport::torchscript {

// Call it after a reported failure: the variables that the block assigns become unknown.
void ForgetAssigned(const StmtList& body, Execution* run);
// A constant of a trace that went through a branch or a loop may no longer count as a Python number
// (wrapped_numbers.h).
void DoubtAssigned(const StmtList& body, Execution* run);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_ASSIGNED_H_
