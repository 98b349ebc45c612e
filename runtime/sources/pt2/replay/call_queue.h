// The remaining calls of a program, in order, and the stated types of their results.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_CALL_QUEUE_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_CALL_QUEUE_H_

#include <cstddef>
#include <deque>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::pt2 {

using Calls = std::vector<const ir::Node*>;

// Returns the calls of a block, which must not change.
Calls CallsOf(const ir::Block& block);

// A program of a million calls must not stay in memory beside the two graphs made from it. So each call is dropped
// after it was made, with the stated types of its results.
class CallQueue {
 public:
  // Moves the calls and the values out of `program`.
  explicit CallQueue(ir::Graph* program);

  // The calls that were not dropped.
  Calls calls() const;
  // A result of such a call or of its blocks. Before the first drop, any value.
  const ir::Value& value(ir::ValueId id) const { return values_[static_cast<size_t>(id) - dropped_values_]; }
  // The number of values of the program.
  size_t values() const { return dropped_values_ + values_.size(); }
  // Drops the next `count` calls.
  void Drop(size_t count);

 private:
  std::deque<ir::Node> calls_;
  std::deque<ir::Value> values_;
  std::vector<ir::ValueId> first_;  // for each call: the lowest id of its results and those of later calls
  size_t dropped_calls_ = 0;
  size_t dropped_values_ = 0;
};

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_CALL_QUEUE_H_
