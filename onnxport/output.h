// Describes a model's outputs.
#ifndef ONNXPORT_OUTPUT_H_
#define ONNXPORT_OUTPUT_H_

#include <string>
#include <string_view>
#include <vector>

#include "onnxport/dim.h"
#include "onnxport/expected.h"

namespace onnxport {

// The axes of an output, as a promise. A number is the size of the axis, a name is a size that is free, and Dim() is a
// free size of any name. Sym("2*n + 1") is an expression of such names, as a model prints it: + - * // %, parentheses,
// Max(a, b), Min(a, b). The export fails where the model is known to differ from the promise. An axis that the model
// names itself ("s77", "x_axis0") gets the name that is given here, everywhere.
struct Output {
  std::string name;  // its name in the model, after `ExportOptions::output_names` renamed it
  std::vector<Dim> dims;
};

// Parses the text form, as the command's `--output` has it: `y=[batch,classes]`, `y=[?,10]`, `y=[2*n + 1]`. An error
// (kUsage) quotes the text and shows the form.
Result<Output> ParseOutput(std::string_view text);

}  // namespace onnxport

#endif  // ONNXPORT_OUTPUT_H_
