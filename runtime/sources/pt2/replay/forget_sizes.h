// Internal to FreeAxes: what a file states of values, as far as it may not hold any more.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_FORGET_SIZES_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_FORGET_SIZES_H_

#include <set>
#include <span>
#include <string>

#include "runtime/ir/graph.h"

namespace onnxport::pt2 {

// The sizes, contents and strides of all that depends on `changed` (values, inputs or results of calls of the body)
// become unknown, results among them included. A size that is a symbol other than `symbols` stays.
void ForgetSizes(std::span<const ir::ValueId> changed, const std::set<std::string>& symbols, ir::Graph* program);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_FORGET_SIZES_H_
