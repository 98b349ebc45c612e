#include "runtime/sources/torchscript/interpret/call_stack.h"

#include "runtime/ir/location.h"

namespace onnxport::torchscript {
namespace {

// "torch.nn.modules.conv.Conv2d" of "__torch__.torch.nn.modules.conv.___torch_mangle_3.Conv2d".
std::string PythonName(const std::string& qualified) {
  std::string name;
  for (size_t begin = 0; begin < qualified.size();) {
    size_t end = qualified.find('.', begin);
    if (end == std::string::npos) end = qualified.size();
    const std::string part = qualified.substr(begin, end - begin);
    if (part != "__torch__" && !part.starts_with("___torch_mangle_")) name += (name.empty() ? "" : ".") + part;
    begin = end + 1;
  }
  return name;
}

}  // namespace

CallStack::Entered::Entered(CallStack* stack, Activation* next) : stack_(*stack), outer_(stack->top_) {
  stack_.top_ = next;
  ++stack_.depth_;
}

CallStack::Entered::~Entered() {
  stack_.top_ = outer_;
  --stack_.depth_;
}

// A method that calls another one of its own module does not enter the module again.
std::shared_ptr<const ir::ModuleCall> CallStack::ModuleOf(const Cell& module) {
  const std::shared_ptr<const ir::ModuleCall>& caller = top_->module;
  if (caller && caller->path == module.path) return caller;
  const int number = entered_[module.path]++;
  return std::make_shared<const ir::ModuleCall>(module.path, PythonName(module.type_name), caller, number);
}

ir::Location CallStack::LocationAt(Offset offset) const {
  const auto locate = [](const Activation& activation, Offset at) {
    const Function* function = activation.function;
    return function && function->file ? function->file->Locate(at) : ir::Location{};
  };
  ir::Location location = locate(*top_, offset);
  // A place in LibTorch's own code (`<string>`) does not help the user, so this is the place of the call into it.
  for (const Activation* at = top_; location.file().starts_with('<') && at->caller->function; at = at->caller)
    location = locate(*at->caller, at->caller->calling);
  location.module = top_->module;
  return location;
}

std::string CallStack::Place(Offset offset) const {
  const ir::Location location = LocationAt(offset);
  if (location.file().empty()) return top_->function ? top_->function->qualified_name : "the program";
  return ir::FileAndLine(location);
}

}  // namespace onnxport::torchscript
