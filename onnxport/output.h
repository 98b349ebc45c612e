// Describes a model's outputs.
#ifndef ONNXPORT_OUTPUT_H_
#define ONNXPORT_OUTPUT_H_

#include <string>
#include <string_view>
#include <vector>

#include "onnxport/dim.h"
#include "onnxport/expected.h"

namespace onnxport {

// Promises the axes of an output. A number is the size of the axis, a name is a free size, and Dim() is a free size of
// any name. Sym("2*n + 1") is an expression of such names, as a model prints it: + - * // %, parentheses, Max(a, b),
// Min(a, b). The export fails if the model is known to break the promise. If the model invented the name of an axis
// ("s77", "x_axis0"), the name given here replaces it everywhere.
struct Output {
  std::string name;  // its name in the model, after `ExportOptions::output_names` renamed it
  std::vector<Dim> dims;
};

// Parses the text form, as the command's `--output` has it: `y=[batch,classes]`, `y=[?,10]`, `y=[2*n + 1]`. An error
// (kUsage) quotes the text and shows the form.
Result<Output> ParseOutput(std::string_view text);

}  // namespace onnxport

#endif  // ONNXPORT_OUTPUT_H_
