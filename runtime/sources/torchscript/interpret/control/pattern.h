// Describes how a value changes from one iteration of a loop to the next, and how the ONNX Loop carries it.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_CONTROL_PATTERN_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_CONTROL_PATTERN_H_

#include <functional>
#include <map>
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
    kScan,      // an empty list that gets one element in every iteration and is not read: a scan output
  };
  Kind kind = Kind::kSame;
  ir::Value type;                            // kLeaf; kSequence, kScan: of the elements
  Type element;                              // kSequence, kScan: its type in the language
  ir::ValueId initial = ir::ValueId::kNone;  // kSequence: before the loop
  uint64_t scan = 0;                         // kScan: mark of the list inside the body
  std::vector<Pattern> members;
};

class PatternMaker {
 public:
  PatternMaker(Heap* heap, const trace::Tracer& tracer) : heap_(*heap), tracer_(tracer) {}

  // From now on, values `after` an iteration have the contents at its end for containers in `changed`. Without a call,
  // they have their current contents.
  void SetContents(const std::vector<Heap::Change>& changed);

  // Changes the pattern to fit a value `before` the loop and `after` an iteration. Returns true if it had to change. If
  // no pattern fits, `why()` is the reason, with `name`.
  bool Widen(Pattern* pattern, const Value& before, const Value& after, const std::string& name);
  const std::string& why() const { return why_; }
  // The reason is that the value has another form after the iteration. True for good.
  bool changes_form() const { return changes_form_; }

  // Builds the value from `leaf`'s results for the carried places, called in the order of ForEach. `leaf` returns an id
  // or a constant: for a kSequence the id of a sequence, for a kScan a stacked tensor, or None for an empty list.
  using Supplier = std::function<ir::Arg(const Pattern& pattern, const Value& before)>;
  Value Build(const Pattern& pattern, const Value& before, const Supplier& leaf);

  // Visits every carried place, in order, with its values `before` and `after`.
  using Visitor = std::function<void(Pattern& pattern, const Value& before, const Value& after)>;
  void ForEach(Pattern* pattern, const Value& before, const Value& after, const Visitor& visit) const;
  // Visits every container that an iteration replaces, in a fixed order: the one before the loop, and `after`, which
  // comes from an iteration or from Build.
  using CellVisitor = std::function<void(const CellPtr& before, const CellPtr& after)>;
  void ForEachReplaced(const Pattern& pattern, const Value& before, const Value& after, const CellVisitor& visit) const;

 private:
  Value Now(const Value& after) const;
  Value Instead(const Value& before, const CellPtr& made);
  CellPtr MakeDict(const Cell& before, ValueList members);
  bool WidenSame(Pattern* pattern, const Value& before, const Value& after, const std::string& name);
  bool WidenLeaf(Pattern* pattern, const Value& after, const std::string& name);
  bool WidenMembers(Pattern* pattern, const Value& before, const Value& after, const std::string& name);
  bool WidenSequence(Pattern* pattern, const Value& before, const Value& after, const std::string& name);
  bool Fail(const std::string& name, const Value& before, const Value& after);
  // Widens the element type to include `type`.
  bool WidenType(Pattern* pattern, const ir::Value& type, const std::string& name);

  Heap& heap_;
  const trace::Tracer& tracer_;
  std::map<const Cell*, CellPtr> contents_;  // contents of containers that the last iteration changed, at its end
  std::string why_;
  bool changes_form_ = false;
  int depth_ = 0;  // nesting of members
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_CONTROL_PATTERN_H_
