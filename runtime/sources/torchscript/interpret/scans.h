// Lists that a loop may give as scan outputs of an ONNX Loop.
//
// `ys.append(x)` and nothing else: then no iteration needs `ys`, and the elements of all iterations stacked are an
// output of the Loop. While the body is traced such a list is empty and has a mark, so `ys[0]` or `len(ys)` would see
// what is not there. So every use of a marked list is noted, and the loop is traced again without it (LoopTracer).
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
  // While it lives, the body of a loop is traced.
  class Tracing {
   public:
    explicit Tracing(Scans* scans) : loops_(scans->loops_) { ++loops_; }
    ~Tracing() { --loops_; }
    Tracing(const Tracing&) = delete;

   private:
    int& loops_;
  };

  // The operator may look at its arguments, all but the list that it appends to.
  void NoteCall(const std::string& op, const CallArguments& arguments);
  // Something looks at the elements of a list or tuple, `depth` levels down from where it began.
  void NoteRead(const Value& value, int depth = 0);
  // Returns true if the list of that mark is more than appended to.
  bool IsRead(uint64_t mark) const { return read_.contains(mark); }

 private:
  int loops_ = 0;            // whose bodies are traced
  std::set<uint64_t> read_;  // marks
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_SCANS_H_
