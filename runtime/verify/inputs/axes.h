// The sizes that free axes have in each run.
#ifndef ONNXPORT_RUNTIME_VERIFY_INPUTS_AXES_H_
#define ONNXPORT_RUNTIME_VERIFY_INPUTS_AXES_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtime/ir/dim.h"
#include "runtime/verify/inputs/ports.h"
#include "runtime/verify/ort/protocol.h"

namespace onnxport::verify {

using Sizes = std::map<std::string, int64_t>;

// One for each run. `texts`: "batch=1,7,33", the sizes of an axis in one run after another; the last one goes on where
// another axis has more. An axis of which nothing is said has small sizes within its range, unlike those of the others;
// where nothing is said at all there are two runs. Throws Error (kUsage) for an axis that no input has.
std::vector<Sizes> SizesOfRuns(const std::vector<Port>& inputs, const ir::Ranges& ranges,
                               const std::vector<std::string>& texts);

// The names of the axes of these inputs, and their sizes.
Sizes SizesOf(const std::vector<Port>& inputs, const std::vector<ort::Tensor>& given);

// Says why an output of this shape contradicts the model's type of it; nothing if it does not. Sizes that cannot be
// computed from `sizes` are not looked at.
std::string AgainstType(const Port& output, const std::vector<int64_t>& shape, const Sizes& sizes);

// The shape at these sizes. Throws Error (kUsage) where an axis would have no size.
std::vector<int64_t> ShapeAt(const Port& port, const Sizes& sizes);

}  // namespace onnxport::verify

#endif  // ONNXPORT_RUNTIME_VERIFY_INPUTS_AXES_H_
