// One walk over the calls of a graph at one opset.
#ifndef ONNXPORT_RUNTIME_LOWERING_ATTEMPT_H_
#define ONNXPORT_RUNTIME_LOWERING_ATTEMPT_H_

#include <cstddef>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::lowering {

// A call (or, past the last one, an output) that could not be lowered.
struct Failure {
  size_t node;  // index into the source graph's body.nodes, or behind them that of an output
  std::string reason;
};

struct Attempt {
  ir::Graph graph;  // complete when there are no failures
  std::vector<Failure> failures;
  std::vector<std::string> remarks;
};

// Goes on after a failure, with results typed as the source states, so that later calls are checked too.
Attempt TryLower(const ir::Graph& aten, int opset);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_ATTEMPT_H_
