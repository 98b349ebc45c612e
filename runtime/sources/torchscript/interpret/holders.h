// Who holds a container: whether a change of it can be seen under another name.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_HOLDERS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_HOLDERS_H_

#include <functional>
#include <string>

#include "runtime/sources/torchscript/interpret/call_stack.h"
#include "runtime/sources/torchscript/interpret/values/value.h"

namespace onnxport::torchscript {

// The number of places that hold `cell`: variables, tuples, and containers that variables lead to. Of the innermost
// call only variables for which `is_read` is true count; of its callers, all.
int CountHolders(const Cell& cell, const CallStack& calls, const std::function<bool(const std::string&)>& is_read);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_HOLDERS_H_
