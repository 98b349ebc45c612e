#ifndef ONNXPORT_RUNTIME_TRACE_RECORD_FAILURE_H_
#define ONNXPORT_RUNTIME_TRACE_RECORD_FAILURE_H_

#include "runtime/base/refusal.h"
#include "runtime/ir/graph.h"

namespace onnxport::record {

// A call that could not be lowered, and its place.
struct Failure {
  ir::LocationId location;
  ir::Operator op;  // none for control flow
  Reason reason;
};

}  // namespace onnxport::record

#endif  // ONNXPORT_RUNTIME_TRACE_RECORD_FAILURE_H_
