// Types of TorchScript: `Tensor`, `int`, `Optional[Tensor]`, `Dict[str, List[int]]`, class names ...
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_TYPE_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_TYPE_H_

#include <string>
#include <vector>

#include "runtime/sources/torchscript/syntax/ast.h"

namespace onnxport::torchscript {

// name: "Tensor", "int", "float", "bool", "str", "NoneType", "number", "Device", "complex", "Any", "List", "Dict",
// "Tuple", "Optional", "Union", "Future", or a class's qualified name ("__torch__.Net", "__torch__.torch.classes...").
struct Type {
  std::string name;
  std::vector<Type> args;  // of List, Dict, Tuple, Optional, Union

  bool Is(const char* text) const { return name == text; }
  friend bool operator==(const Type&, const Type&) = default;
};

// `Final[T]` is T. Optional and List have one argument, Dict two. Throws onnxport::Error (kBadInput) for an expression
// that is no type.
Type ToType(const Expr& expr);
// "Optional[Tensor]"
std::string ToString(const Type& type);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_TYPE_H_
