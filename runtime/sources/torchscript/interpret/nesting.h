// Counts the depth of the interpreter's own recursion, so that hostile programs end in an error.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_NESTING_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_NESTING_H_

#include "runtime/base/error.h"

namespace onnxport::torchscript {

class Nesting {
 public:
  explicit Nesting(int* depth) : depth_(*depth) {
    if (depth_ >= kMax || StackIsShort())
      throw Error(onnxport::Code::kTooManySteps, "calls and expressions of the program are nested too deep");
    ++depth_;
  }
  ~Nesting() { --depth_; }
  Nesting(const Nesting&) = delete;

 private:
  static constexpr int kMax = 3000;
  // Callers choose the thread, and so the size of the stack.
  static bool StackIsShort();

  int& depth_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_NESTING_H_
