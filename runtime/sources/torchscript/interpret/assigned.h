// The variables that blocks assign.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_ASSIGNED_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_ASSIGNED_H_

#include "runtime/sources/torchscript/interpret/execution.h"
#include "runtime/sources/torchscript/syntax/ast.h"

namespace onnxport::torchscript {

// After a failure, which is reported: what the block assigns is not known any more.
void ForgetAssigned(const StmtList& body, Execution* run);
// A constant of a trace that came through a branch or a loop may be no Python number any more (wrapped_numbers.h).
void DoubtAssigned(const StmtList& body, Execution* run);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_ASSIGNED_H_
