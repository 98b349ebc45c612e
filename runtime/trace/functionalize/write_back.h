// Applies a write to a view to its base, with the call that the spec states.
#ifndef ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_WRITE_BACK_H_
#define ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_WRITE_BACK_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "runtime/aten/op_traits.h"
#include "runtime/ir/graph.h"
#include "runtime/trace/record/recorder.h"

namespace onnxport::functionalize {

// Returns the base's new value when its view `node`, result number `output`, becomes `part`. `base` is the base's
// current value. Returns nothing, with the reason in *why_not, if the write cannot be expressed.
std::optional<ir::ValueId> WriteBack(record::Recorder* recorder, const ir::Node& node, size_t output, ir::ValueId base,
                                     ir::ValueId part, std::string* why_not);

// Makes result number `output` of the view `node` again from `base`, without the other results. Returns nothing if the
// spec has no call for that.
std::optional<ir::ValueId> ReadOne(record::Recorder* recorder, const ir::Node& node, size_t output, ir::ValueId base);

// Returns the arguments of the functional form that the spec states for `node`. Returns nothing if they are not known,
// or if the call has an argument that the functional form does not take.
std::optional<std::vector<ir::Arg>> FunctionalInputs(record::Recorder* recorder, const ir::Node& node,
                                                     const op_traits::Call& call);

}  // namespace onnxport::functionalize

#endif  // ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_WRITE_BACK_H_
