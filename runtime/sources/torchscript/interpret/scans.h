// Finds lists that a loop can return as scan outputs of an ONNX Loop.
//
// If the body only does `ys.append(x)`, no iteration needs `ys`, and the stacked elements of all iterations are an
// output of the Loop. While the body is traced, such a list is empty and marked, so `ys[0]` or `len(ys)` would see
// wrong contents. So every other use of a marked list is noted, and the loop is traced again without it (LoopTracer).
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_SCANS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_SCANS_H_

#include <cstdint>
#include <set>
#include <string>

#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/sources/torchscript/interpret/values/values.h"

namespace onnxport::torchscript {

class Scans {
 public:
  // While it lives, a loop body is being traced.
  class Tracing {
   public:
    explicit Tracing(Scans* scans) : loops_(scans->loops_) { ++loops_; }
    ~Tracing() { --loops_; }
    Tracing(const Tracing&) = delete;

   private:
    int& loops_;
  };

  // The operator may read all of its arguments, except the list that it appends to.
  void NoteCall(const std::string& op, const CallArguments& arguments);
  // The elements of a list or tuple are read, `depth` levels below the start.
  void NoteRead(const Value& value, int depth = 0);
  // Returns true if the list with that mark is not only appended to.
  bool IsRead(uint64_t mark) const { return read_.contains(mark); }

 private:
  int loops_ = 0;            // loops whose bodies are being traced
  std::set<uint64_t> read_;  // marks
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_SCANS_H_
