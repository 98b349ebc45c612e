// Internal to FreeAxes: forgets stated facts about values that may not hold any more.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_FORGET_SIZES_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_FORGET_SIZES_H_

#include <set>
#include <span>
#include <string>

#include "runtime/ir/graph.h"

namespace onnxport::pt2 {

// Makes the sizes, contents and strides of everything that depends on `changed` unknown, including results in
// `changed`. `changed` are values, inputs, or results of calls of the body. A size that is a symbol not in `symbols`
// stays.
void ForgetSizes(std::span<const ir::ValueId> changed, const std::set<std::string>& symbols, ir::Graph* program);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_FORGET_SIZES_H_
