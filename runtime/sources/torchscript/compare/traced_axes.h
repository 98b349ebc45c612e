// Which axes are free, by the example inputs that traces of one model have recorded.
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

// `traces`: with the sizes that the user states; they get those of all named axes. `said`: the user's statements about
// the inputs. An axis that is not named, and has other sizes in the traces, is named after its input, `x_axis1`. If one
// before it had the same size in every trace, it gets the name of that one.
//
// Throws Error (kUsage) for inputs that are not alike, for an axis whose size is not known in every trace or is the
// same in all, and where nothing differs.
TracedAxes FindTracedAxes(std::vector<TracedProgram>* traces, const std::string& method, std::vector<Input> said);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_COMPARE_TRACED_AXES_H_
