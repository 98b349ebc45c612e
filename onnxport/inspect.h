// Models as text, for people.
#ifndef ONNXPORT_INSPECT_H_
#define ONNXPORT_INSPECT_H_

#include <optional>
#include <string>
#include <vector>

#include "onnxport/diagnostic.h"
#include "onnxport/expected.h"
#include "onnxport/export.h"
#include "onnxport/source.h"

namespace onnxport {

// Shows a model as text. A `.pt2` is shown as its calls. A TorchScript file is shown as the calls that are made when
// its inputs are known (from `options` or from the file), else as its code. An ONNX file is shown as its nodes with the
// type and shape of each result, without the bytes of its weights. The text is for people: its form may change. Control
// characters from the file are escaped in it (`Visible` in text.h). Fails as `Export` does.
Result<std::string> Inspect(const Source& source, const ExportOptions& options = {});

// Shows an ONNX file as one well-formed page of HTML that loads nothing. The page shows the model in figures, its
// inputs, outputs and free axes, operators by count, weights by size, and every node with the types of its results.
// Nodes are grouped by the program's modules. Only the limits in `options` are used. Fails with kUsage for a file of
// PyTorch. If `data_files` is not null, it gets the paths of the model's data files, so that the caller does not write
// the page over one (WriteOutput in files.h).
Result<std::string> InspectAsHtml(const Source& source, const ExportOptions& options = {},
                                  std::vector<std::string>* data_files = nullptr);

// Checks an ONNX file, and its data files, against ONNX's own rules: structure, schemas, inferred types. Nodes of other
// domains are not checked. Returns the violations (kBadInput), or nothing. Only the limits in `options` are used.
std::optional<Report> CheckOnnx(const std::string& file, const ExportOptions& options = {});

}  // namespace onnxport

#endif  // ONNXPORT_INSPECT_H_
