// The calls of a program in their order, and what it states of their results: less and less, as they are made.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_CALL_QUEUE_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_CALL_QUEUE_H_

#include <cstddef>
#include <deque>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::pt2 {

using Calls = std::vector<const ir::Node*>;

// The calls of a block that stays as it is.
Calls CallsOf(const ir::Block& block);

// A program of a million calls must not be in memory beside the two graphs that are made of it. So each call goes when
// it was made, and with it the stated types of its results.
class CallQueue {
 public:
  // Takes the calls and the values out of `program`.
  explicit CallQueue(ir::Graph* program);

  // Those that were not dropped.
  Calls calls() const;
  // A result of such a call or of its blocks; until the first is dropped, any value.
  const ir::Value& value(ir::ValueId id) const { return values_[static_cast<size_t>(id) - dropped_values_]; }
  // How many values the program has.
  size_t values() const { return dropped_values_ + values_.size(); }
  // Drops the next `count` calls.
  void Drop(size_t count);

 private:
  std::deque<ir::Node> calls_;
  std::deque<ir::Value> values_;
  std::vector<ir::ValueId> first_;  // by call, of all: the lowest id of what it and those after it give
  size_t dropped_calls_ = 0;
  size_t dropped_values_ = 0;
};

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_CALL_QUEUE_H_
