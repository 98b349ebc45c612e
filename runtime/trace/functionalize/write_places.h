// Writes through views that repeat elements (`expand`, `as_strided`).
#ifndef ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_WRITE_PLACES_H_
#define ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_WRITE_PLACES_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/trace/record/recorder.h"

namespace onnxport::functionalize {

// A call that makes a view of its input `argument`, and the number of the result to use.
struct ViewStep {
  const ir::Node* call;
  size_t argument;
  size_t output;
};

// Returns `base` with `value` written through the views of the steps. To find the places, the same views are made of a
// tensor with the index of each element of the base. So a step in between may show an element several times. Returns
// nothing, with the reason in *why_not, if a step does more than select elements.
std::optional<ir::ValueId> WriteToPlaces(record::Recorder* recorder, const std::vector<ViewStep>& steps,
                                         ir::ValueId base, ir::ValueId value, std::string* why_not);

}  // namespace onnxport::functionalize

#endif  // ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_WRITE_PLACES_H_
