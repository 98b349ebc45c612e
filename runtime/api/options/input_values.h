// Sizes of the public headers, and the same inside.
#ifndef ONNXPORT_RUNTIME_API_OPTIONS_INPUT_VALUES_H_
#define ONNXPORT_RUNTIME_API_OPTIONS_INPUT_VALUES_H_

#include <set>
#include <string>
#include <vector>

#include "onnxport/input.h"
#include "runtime/ir/dim.h"

namespace onnxport {

// The caller's names for axes of inputs.
std::set<std::string> AxisNamesOf(const std::vector<Input>& inputs);

Dim DimOf(const ir::Dim& dim);

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_API_OPTIONS_INPUT_VALUES_H_
