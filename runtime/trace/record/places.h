// The places of a program that its calls come from.
#ifndef ONNXPORT_RUNTIME_TRACE_RECORD_PLACES_H_
#define ONNXPORT_RUNTIME_TRACE_RECORD_PLACES_H_

#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::record {

// The locations of a graph, and the one of the calls that are made now.
class Places {
 public:
  explicit Places(ir::Graph* graph) : graph_(*graph) {}
  Places(const Places&) = delete;

  // All locations of the program's file, before any other.
  void SetAll(ir::Locations locations);
  // Calls made from now on came from there: a location of the graph, or one that becomes its own.
  void Set(ir::LocationId location) { current_ = location; }
  void Set(const ir::Location& location);
  ir::LocationId current() const { return current_; }
  // The location of the call that is made next. It is the current one, and for further calls a new number for it, so
  // that the nodes of a call lead back to it.
  ir::LocationId NextCall();
  const ir::Location& At(ir::LocationId location) const { return graph_.location(location); }

 private:
  ir::Graph& graph_;
  ir::LocationId current_ = ir::LocationId::kNone;
  std::vector<bool> called_;                                 // by location
  std::unordered_map<std::string, ir::LocationId> numbers_;  // of those that were set, by all that they say
};

}  // namespace onnxport::record

#endif  // ONNXPORT_RUNTIME_TRACE_RECORD_PLACES_H_
