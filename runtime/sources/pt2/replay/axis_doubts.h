// Internal to FreeAxes: what may depend on an axis that the file fixed.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_AXIS_DOUBTS_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_AXIS_DOUBTS_H_

#include <functional>
#include <optional>
#include <vector>

#include "runtime/inputs/inputs.h"
#include "runtime/ir/graph.h"
#include "runtime/trace/record/failure.h"

namespace onnxport::pt2 {

// By value: what the file stated before the axes were free, and what is inferred now.
struct DimsOfValues {
  const std::vector<std::optional<ir::Dims>>& stated;
  const std::vector<std::optional<ir::Dims>>& inferred;
};

// The calls of `program`, in its order, that may hold a number computed of the size of a freed axis, with why. The
// locations are the program's. `works`: whether the calls of such a program can be made; none where they cannot as it
// is.
std::vector<record::Failure> AxisDoubts(const ir::Graph& program, const std::vector<inputs::FreedAxis>& axes,
                                        const DimsOfValues& dims, const std::function<bool(const ir::Graph&)>& works);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_AXIS_DOUBTS_H_
