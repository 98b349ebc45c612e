// `--output NAME=[...]`: what the user says of an output.
#ifndef ONNXPORT_RUNTIME_INPUTS_OUTPUTS_H_
#define ONNXPORT_RUNTIME_INPUTS_OUTPUTS_H_

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "onnxport/output.h"
#include "runtime/ir/graph.h"

namespace onnxport::inputs {

// `y=[batch,classes]`, `y=[?,10]`. Throws Error (kUsage) that quotes the text and shows the form.
Output ParseOutput(std::string_view text);

// The same of what a program says without the text form. Throws Error (kUsage).
void Check(const std::vector<Output>& outputs);

// Holds the outputs of a model against what the user promises of their axes, and calls their sizes what the user does.
//  1. A number is what is inferred; it fills in what is not known.
//  2. A name is a free size. One that has the name of a single symbol anywhere in the model gets it everywhere, unless
//  it
//     is in `given`, the names that the user gave to axes of inputs; an expression (`2*n + 1`) gets it in the output.
//  3. One name is one size.
// Throws Error with all mistakes: kCannotExport for a name on an axis that is fixed, else kUsage.
void ApplyOutputs(ir::Graph* graph, const std::vector<Output>& outputs, const std::set<std::string>& given);

}  // namespace onnxport::inputs

#endif  // ONNXPORT_RUNTIME_INPUTS_OUTPUTS_H_
