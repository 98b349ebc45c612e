// Counts who holds a container, to decide if a change is visible under another name.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_HOLDERS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_HOLDERS_H_

#include <functional>
#include <string>

#include "runtime/sources/torchscript/interpret/call_stack.h"
#include "runtime/sources/torchscript/interpret/execution.h"
#include "runtime/sources/torchscript/interpret/values/value.h"

namespace onnxport::torchscript {

// Returns the number of places that hold `cell`: variables, tuples, and containers reachable from variables. In the
// innermost call only variables for which `is_read` is true count; in its callers, those that are read after the call.
int CountHolders(const Cell& cell, const CallStack& calls, const std::function<bool(const std::string&)>& is_read);

// Returns true if the value is the container, or contains it.
bool Holds(const Value& value, const Cell& cell);

// Returns true if a variable of the innermost call may be read after the statement or expression at `at`.
bool IsReadAfter(Offset at, const Activation& call, const std::string& name);

// Returns true if the program may change the container in place. Otherwise, the same name may mean another container at
// run time, and that one is read later under its own name. Returns false then, and reports it.
bool CheckTies(const Cell& cell, Offset at, Execution* run);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_HOLDERS_H_
