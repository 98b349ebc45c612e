// `--output NAME=[...]`: the user's description of an output.
#ifndef ONNXPORT_RUNTIME_INPUTS_OUTPUTS_H_
#define ONNXPORT_RUNTIME_INPUTS_OUTPUTS_H_

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "onnxport/output.h"
#include "runtime/ir/graph.h"

namespace onnxport::inputs {

// Reads `y=[batch,classes]`, `y=[?,10]`, `y=[2*t,(n - 1)//2 + 1]`. Throws Error (kUsage) that quotes the text and shows
// the form.
Output ParseOutput(std::string_view text);

// Checks outputs that a program gives without the text form. Throws Error (kUsage).
void Check(const std::vector<Output>& outputs);

// Compares the outputs of a model with the sizes that the user promises, and gives the sizes the user's names.
// 1. A number or an expression (`2*n + 1`) must equal the inferred size. If nothing is known, it is believed, and a
//    remark tells so.
// 2. A name is a free size. If the size is a single symbol of the model, the symbol gets the name everywhere. But a
//    symbol in `given`, the names that the user gave to axes of inputs, keeps its name. If the size is an expression
//    (`2*n + 1`), only the output gets the name.
// 3. One name is one size.
// Returns remarks. Throws Error with all mistakes: kCannotExport for a name on an axis that is fixed, else kUsage.
std::vector<std::string> ApplyOutputs(ir::Graph* graph, const std::vector<Output>& outputs,
                                      const std::set<std::string>& given);

}  // namespace onnxport::inputs

#endif  // ONNXPORT_RUNTIME_INPUTS_OUTPUTS_H_
