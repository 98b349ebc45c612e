// The places in a program that its calls come from.
#ifndef ONNXPORT_RUNTIME_TRACE_RECORD_PLACES_H_
#define ONNXPORT_RUNTIME_TRACE_RECORD_PLACES_H_

#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::record {

// The locations of a graph, and the location of the current calls.
class Places {
 public:
  explicit Places(ir::Graph* graph) : graph_(*graph) {}
  Places(const Places&) = delete;

  // Sets all locations of the program's file. Call it before Set.
  void SetAll(ir::Locations locations);
  // Sets the location of the next calls: a location of the graph, or a new one, which is added.
  void Set(ir::LocationId location) { current_ = location; }
  void Set(const ir::Location& location);
  ir::LocationId current() const { return current_; }
  // Returns the location of the next call. The first call gets the current location, each further call a new number for
  // it, so that every node can be traced to its call.
  ir::LocationId NextCall();
  const ir::Location& At(ir::LocationId location) const { return graph_.location(location); }

 private:
  ir::Graph& graph_;
  ir::LocationId current_ = ir::LocationId::kNone;
  std::vector<bool> called_;                                 // by location
  std::unordered_map<std::string, ir::LocationId> numbers_;  // of added locations, by all of their fields
};

}  // namespace onnxport::record

#endif  // ONNXPORT_RUNTIME_TRACE_RECORD_PLACES_H_
