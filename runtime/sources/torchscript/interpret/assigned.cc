#include "runtime/sources/torchscript/interpret/assigned.h"

#include <string>

#include "runtime/sources/torchscript/interpret/builtins/wrapped_numbers.h"
#include "runtime/sources/torchscript/interpret/values/values.h"
#include "runtime/sources/torchscript/syntax/analysis.h"

namespace onnxport::torchscript {

void ForgetAssigned(const StmtList& body, Execution* run) {
  for (const std::string& name : AssignedNames(body)) run->EditFrame().Set(name, Reported(""));
}

void DoubtAssigned(const StmtList& body, Execution* run) {
  if (run->program().constants.empty()) return;
  for (const std::string& name : AssignedNames(body)) {
    const Value* value = run->frame().Find(name);
    const auto* tensor = value ? value->As<Tensor>() : nullptr;
    if (tensor && tensor->wraps == Wraps::kYes) run->EditFrame().Set(name, Doubted(*value));
  }
}

}  // namespace onnxport::torchscript
