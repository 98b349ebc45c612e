// Values of the public headers, and the same inside: what callers say of inputs, sizes.
#ifndef ONNXPORT_RUNTIME_API_INPUT_VALUES_H_
#define ONNXPORT_RUNTIME_API_INPUT_VALUES_H_

#include <set>
#include <string>
#include <vector>

#include "onnxport/input.h"
#include "onnxport/output.h"
#include "runtime/inputs/input_spec.h"
#include "runtime/inputs/output_spec.h"
#include "runtime/ir/dim.h"

namespace onnxport {

// Checks them as the text form is checked. Error (kUsage) names the input or output.
std::vector<inputs::InputSpec> SpecsOf(const std::vector<Input>& inputs);

std::vector<inputs::OutputSpec> SpecsOf(const std::vector<Output>& outputs);

// What the caller calls axes of inputs.
std::set<std::string> AxisNamesOf(const std::vector<Input>& inputs);

Input InputOf(const inputs::InputSpec& spec);

Dim DimOf(const ir::Dim& dim);

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_API_INPUT_VALUES_H_
