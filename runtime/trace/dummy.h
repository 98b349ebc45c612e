// Makes placeholders for values that the program never uses.
#ifndef ONNXPORT_RUNTIME_TRACE_DUMMY_H_
#define ONNXPORT_RUNTIME_TRACE_DUMMY_H_

#include <optional>

#include "runtime/ir/graph.h"
#include "runtime/trace/record/recorder.h"

namespace onnxport::trace {

// Returns any value of the type, made in the innermost block. Sizes that no input has are 1, so its own type may
// differ.
std::optional<ir::Arg> Dummy(record::Recorder* recorder, const ir::Value& type);

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_DUMMY_H_
