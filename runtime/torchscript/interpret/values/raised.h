// What the interpreted program raises on values that are known: `raise`, a failed assert, an index outside a list.
#ifndef ONNXPORT_RUNTIME_TORCHSCRIPT_INTERPRET_VALUES_RAISED_H_
#define ONNXPORT_RUNTIME_TORCHSCRIPT_INTERPRET_VALUES_RAISED_H_

#include <string>

namespace onnxport::torchscript {

// Thrown through the interpreter. On one side of an `if` that a run decides it drops the side, else the export fails.
struct Raised {
  std::string text;  // "list index 3 is outside a list of 2"
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_TORCHSCRIPT_INTERPRET_VALUES_RAISED_H_
