// How a value changes from one iteration of a loop to the next, and so how ONNX Loop carries it.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_CONTROL_PATTERN_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_CONTROL_PATTERN_H_

#include <functional>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/sources/torchscript/interpret/values/heap.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {

struct Pattern {
  enum class Kind : uint8_t {
    kSame,      // does not change
    kLeaf,      // a tensor or a number that is carried
    kMembers,   // a container of fixed shape whose members change
    kSequence,  // a list that changes its length: a carried ONNX sequence
    kScan,      // an empty list that gets one element in every iteration and is not looked at: a scan output
  };
  Kind kind = Kind::kSame;
  ir::Value type;                            // kLeaf; kSequence, kScan: of the elements
  Type element;                              // kSequence, kScan: as the language calls it
  ir::ValueId initial = ir::ValueId::kNone;  // kSequence: before the loop
  uint64_t scan = 0;                         // kScan: mark of the list inside the body
  std::vector<Pattern> members;
};

class PatternMaker {
 public:
  PatternMaker(Heap* heap, const trace::Tracer& tracer) : heap_(*heap), tracer_(tracer) {}

  // Makes the pattern fit a value that is `before` the loop and `after` an iteration; true when it had to change.
  // What no pattern fits is the reason in `why()`, with `name`.
  bool Widen(Pattern* pattern, const Value& before, const Value& after, const std::string& name);
  const std::string& why() const { return why_; }

  // The value with what `leaf` gives at each carried place; `leaf` is asked in the order of ForEach. `leaf` returns an
  // id or a constant; for a kSequence an id of a sequence, for a kScan a stacked tensor, or None for an empty list.
  using Supplier = std::function<ir::Arg(const Pattern& pattern, const Value& before)>;
  Value Build(const Pattern& pattern, const Value& before, const Supplier& leaf);

  // Every carried place, in order, with the value `before` and the one `after`.
  using Visitor = std::function<void(Pattern& pattern, const Value& before, const Value& after)>;
  static void ForEach(Pattern* pattern, const Value& before, const Value& after, const Visitor& visit);
  // Every container that an iteration replaces by another one, as it was before the loop.
  using CellVisitor = std::function<void(const CellPtr& before)>;
  static void ForEachReplaced(const Pattern& pattern, const Value& before, const CellVisitor& visit);

 private:
  Value Instead(const Value& before, const CellPtr& made);
  bool WidenSame(Pattern* pattern, const Value& before, const Value& after, const std::string& name);
  bool WidenLeaf(Pattern* pattern, const Value& after, const std::string& name);
  bool WidenMembers(Pattern* pattern, const Value& before, const Value& after, const std::string& name);
  bool WidenSequence(Pattern* pattern, const Value& before, const Value& after, const std::string& name);
  bool Fail(const std::string& name, const Value& before, const Value& after);
  // The element type that holds `element` too.
  bool WidenType(Pattern* pattern, const ir::Value& type, const std::string& name);

  Heap& heap_;
  const trace::Tracer& tracer_;
  std::string why_;
  int depth_ = 0;  // of members in members
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_CONTROL_PATTERN_H_
