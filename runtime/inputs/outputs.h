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

// `y=[batch,classes]`, `y=[?,10]`, `y=[2*t,(n - 1)//2 + 1]`. Throws Error (kUsage) that quotes the text and shows the
// form.
Output ParseOutput(std::string_view text);

// The same of what a program says without the text form. Throws Error (kUsage).
void Check(const std::vector<Output>& outputs);

// Holds the outputs of a model against what the user promises of their axes, and calls their sizes what the user does.
//  1. A number or an expression (`2*n + 1`) is what is inferred. Where nothing is known it is believed, which a remark
//     tells.
//  2. A name is a free size. A single symbol of the model gets it everywhere, unless it is in `given`, the names that
//     the user gave to axes of inputs; an expression (`2*n + 1`) gets it in the output.
//  3. One name is one size.
// Returns remarks. Throws Error with all mistakes: kCannotExport for a name on an axis that is fixed, else kUsage.
std::vector<std::string> ApplyOutputs(ir::Graph* graph, const std::vector<Output>& outputs,
                                      const std::set<std::string>& given);

}  // namespace onnxport::inputs

#endif  // ONNXPORT_RUNTIME_INPUTS_OUTPUTS_H_
