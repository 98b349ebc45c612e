// Finds the free axes from the example inputs that traces of one model have recorded.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_COMPARE_TRACED_AXES_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_COMPARE_TRACED_AXES_H_

#include <string>
#include <vector>

#include "runtime/inputs/inputs.h"
#include "runtime/sources/torchscript/compare/compare_traces.h"

namespace onnxport::torchscript {

struct TracedAxes {
  std::vector<Input> inputs;         // with a name for each free axis
  std::vector<std::string> remarks;  // which names were made up
};

// `traces` have the sizes that the user stated; this sets those of all named axes. `said` are the user's statements
// about the inputs. An axis without a name whose size differs between traces is named after its input, `x_axis1`. If an
// earlier axis had the same size in every trace, it gets that axis's name.
//
// Throws Error (kUsage) if the inputs do not match, if the size of a named axis is unknown in some trace or equal in
// all, and if nothing differs.
TracedAxes FindTracedAxes(std::vector<TracedProgram>* traces, const std::string& method, std::vector<Input> said);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_COMPARE_TRACED_AXES_H_
