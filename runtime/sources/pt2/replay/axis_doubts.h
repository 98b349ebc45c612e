// Internal to FreeAxes: finds calls that may depend on an axis that the file fixed.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_AXIS_DOUBTS_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_AXIS_DOUBTS_H_

#include <functional>
#include <optional>
#include <vector>

#include "runtime/inputs/inputs.h"
#include "runtime/ir/graph.h"
#include "runtime/trace/record/failure.h"

namespace onnxport::pt2 {

// By value: the dims in the file, before the axes were free, and the inferred ones.
struct DimsOfValues {
  const std::vector<std::optional<ir::Dims>>& stated;
  const std::vector<std::optional<ir::Dims>>& inferred;
};

// Returns the calls of `program`, in order, that may contain a number computed from the size of a freed axis, with the
// reason. The locations are the program's. `works` says if the calls of a program can be made. Returns nothing if those
// of the program itself cannot.
std::vector<record::Failure> AxisDoubts(const ir::Graph& program, const std::vector<inputs::FreedAxis>& axes,
                                        const DimsOfValues& dims, const std::function<bool(const ir::Graph&)>& works);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_AXIS_DOUBTS_H_
