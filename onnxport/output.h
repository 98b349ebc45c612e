// What a caller says of a model's outputs.
#ifndef ONNXPORT_OUTPUT_H_
#define ONNXPORT_OUTPUT_H_

#include <string>
#include <string_view>
#include <vector>

#include "onnxport/dim.h"
#include "onnxport/expected.h"

namespace onnxport {

// The axes of an output, as a promise: a number is what the axis has, a name a size that is free, Dim() one that is
// free and whatever it is called. What is known of the model is held against it, and the export fails where it differs.
// What the model calls by a name of its own ("s77", "x_axis0") gets the name that is given here, everywhere.
struct Output {
  std::string name;  // the one that the model has, after `ExportOptions::output_names`
  std::vector<Dim> dims;
};

// The text form, as the command's `--output` has it: `y=[batch,classes]`, `y=[?,10]`. An error (kUsage) quotes the text
// and shows the form.
Result<Output> ParseOutput(std::string_view text);

}  // namespace onnxport

#endif  // ONNXPORT_OUTPUT_H_
