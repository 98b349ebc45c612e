#include "runtime/sources/torchscript/syntax/ast.h"

#include <algorithm>

namespace onnxport::torchscript {

const Function* Class::FindMethod(const std::string& name) const {
  const auto method = std::find_if(methods.begin(), methods.end(), [&](const Function& f) { return f.name == name; });
  return method == methods.end() ? nullptr : &*method;
}

}  // namespace onnxport::torchscript
