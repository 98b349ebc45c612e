// The walk over a program that makes its model, and those that find out what another opset could do.
#ifndef ONNXPORT_RUNTIME_TRACE_WALK_H_
#define ONNXPORT_RUNTIME_TRACE_WALK_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/trace/tracer.h"

namespace onnxport::trace {

// Makes the calls of one program at an opset, on a tracer that is given `state`; the same ones every time. Gives back
// the tracer that has them.
using Walk = std::function<std::unique_ptr<Tracer>(int opset, const ProgramState& state)>;

struct Traced {
  ir::Graph source;  // ATen calls, functionalised, with blocks; for printing
  ir::Graph onnx;    // lowered, before passes
  std::vector<std::string> remarks;
  std::vector<StatePair> state;  // where it is kept
};

// Walks at `opset`. Throws onnxport::Error:
// - kUsage for an opset outside `SupportedOpsets()`;
// - kCannotExport with one report of all that failed, and of calls that would fail next at a later opset. Each has the
//   lowest later opset that takes it, found by walking again, within limits of time.
// - kBadInput with the same report where results contradict the file.
//
// Without a survey it does not look at other opsets, and the report says nothing of them.
enum class Survey : uint8_t { kLaterOpsets, kNone };
struct TraceOptions {
  Survey survey = Survey::kLaterOpsets;
  bool keep_state = false;  // as inputs and outputs
};
Traced Trace(const Walk& walk, int opset, TraceOptions options = {});

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_WALK_H_
