// The open calls of functions, and the current place in each.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_CALL_STACK_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_CALL_STACK_H_

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "runtime/ir/location.h"
#include "runtime/sources/torchscript/archive/program.h"
#include "runtime/sources/torchscript/interpret/values/frame.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/sources/torchscript/syntax/ast.h"

namespace onnxport::torchscript {

// One call of a function.
struct Activation {
  const Function* function = nullptr;  // null only before the first call
  std::shared_ptr<const ir::ModuleCall> module;
  Frame frame;
  std::optional<Value> result;
  int blocks = 0;         // open ones at the call
  bool recorded = false;  // by a trace, or called from such code: its numbers may be those of the trace
  const Activation* caller = nullptr;
  Offset calling = 0;  // the place of the call that this one makes
};

// An activation is on this process's stack, in Caller, while its function runs. So the callers of the innermost one are
// alive. It is entered after its parameters are bound, because arguments are evaluated in the caller.
class CallStack {
 public:
  CallStack() = default;
  CallStack(const CallStack&) = delete;

  // The innermost call.
  const Activation& top() const { return *top_; }
  Activation& EditTop() { return *top_; }
  int depth() const { return depth_; }
  bool MayBeRecorded() const { return top_->recorded; }

  // While it lives, the activation is the innermost one, and the previous one is its caller.
  class Entered {
   public:
    Entered(CallStack* stack, Activation* next);
    ~Entered();
    Entered(const Entered&) = delete;

   private:
    CallStack& stack_;
    Activation* outer_;
  };

  // The module of a call of one of its methods, made by the innermost call.
  std::shared_ptr<const ir::ModuleCall> ModuleOf(const Cell& module);

  // A place in the innermost call. In LibTorch's own code it is the place of the call into that code.
  ir::Location LocationAt(Offset offset) const;
  std::string Place(Offset offset) const;  // "model.py:12"

 private:
  Activation root_;
  Activation* top_ = &root_;
  int depth_ = 0;
  std::unordered_map<std::string, int> entered_;  // number of calls of each module, by path
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_CALL_STACK_H_
