// How a write to a view reaches its base: by the call that the spec states.
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

// The base's new value when its view `node`, result number `output`, becomes `part`. `base` is the base's present
// value. Nothing, with the reason in *why_not, when the write cannot be expressed.
std::optional<ir::ValueId> WriteBack(record::Recorder* recorder, const ir::Node& node, size_t output, ir::ValueId base,
                                     ir::ValueId part, std::string* why_not);

// Result number `output` of the view `node`, made of `base` again without the other results. Nothing when the spec has
// no call for that.
std::optional<ir::ValueId> ReadOne(record::Recorder* recorder, const ir::Node& node, size_t output, ir::ValueId base);

// The arguments of the call that is stated as the functional form of `node`. Nothing when they are not known, or when
// an argument that it does not take is given.
std::optional<std::vector<ir::Arg>> FunctionalInputs(record::Recorder* recorder, const ir::Node& node,
                                                     const op_traits::Call& call);

}  // namespace onnxport::functionalize

#endif  // ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_WRITE_BACK_H_
