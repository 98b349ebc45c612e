// A write through views that repeat elements (`expand`, `as_strided`).
#ifndef ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_WRITE_PLACES_H_
#define ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_WRITE_PLACES_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/trace/record/recorder.h"

namespace onnxport::functionalize {

// A call that makes a view of its input `argument`, and the result that is meant.
struct ViewStep {
  const ir::Node* call;
  size_t argument;
  size_t output;
};

// `base` with `value` where the steps, one after another, put its elements. The same views of the numbers of the base's
// elements say where that is, so it does not matter how often a step in between shows an element. Nothing, with the
// reason in *why_not, when a step does more than place elements.
std::optional<ir::ValueId> WriteToPlaces(record::Recorder* recorder, const std::vector<ViewStep>& steps,
                                         ir::ValueId base, ir::ValueId value, std::string* why_not);

}  // namespace onnxport::functionalize

#endif  // ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_WRITE_PLACES_H_
