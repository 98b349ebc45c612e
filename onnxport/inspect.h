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

// Of a `.pt2` its calls; of a TorchScript file the calls that are made when its inputs are known (from `options` or
// from the file), and its code when they are not; of an ONNX file its nodes, with the type and shape of what each
// gives, without the bytes of its weights. The text is for reading: its form may change. See `Visible` in text.h before
// it goes to a terminal. Fails as `Export` does.
Result<std::string> Inspect(const Source& source, const ExportOptions& options = {});

// An ONNX file as a page of HTML, well-formed and in one piece, that loads nothing: the model in figures, its inputs,
// outputs and free axes, operators by count, weights by size, and every node with the types of what it gives, in groups
// that are the program's modules. Of `options` only the limits are used. kUsage for a file of PyTorch.
// `data_files` (may be null) gets besides the paths of the files in which the model has weights: a page is not to be
// written over one (WriteOutput in files.h).
Result<std::string> InspectAsHtml(const Source& source, const ExportOptions& options = {},
                                  std::vector<std::string>* data_files = nullptr);

// Holds an ONNX file, and the files of weights beside it, against ONNX's own rules: structure, schemas, inferred types.
// Nodes of other domains are not looked at. What it breaks (kBadInput), or nothing. Of `options` only the limits are
// used.
std::optional<Report> CheckOnnx(const std::string& file, const ExportOptions& options = {});

}  // namespace onnxport

#endif  // ONNXPORT_INSPECT_H_
