#ifndef ONNXPORT_RUNTIME_TRACE_FAILURE_H_
#define ONNXPORT_RUNTIME_TRACE_FAILURE_H_

#include <string>

#include "runtime/ir/graph.h"

namespace onnxport::trace {

// What could not be lowered, and where.
struct Failure {
  ir::LocationId location;
  std::string op;  // "aten::foo"; empty for control flow
  std::string reason;
};

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_FAILURE_H_
