// ONNX files as a page for a browser.
#ifndef ONNXPORT_RUNTIME_MODEL_ONNX_FILE_ONNX_PAGE_H_
#define ONNXPORT_RUNTIME_MODEL_ONNX_FILE_ONNX_PAGE_H_

#include <string>
#include <vector>

#include "runtime/archive/byte_source.h"

namespace onnxport::onnx_file {

// One file of HTML that loads nothing: the model in figures, its inputs, outputs and free axes, operators by count,
// weights by size. Every node is there with its results, in groups that are the program's modules. The page is
// well-formed XML where the file's names have no control characters and are UTF-8. Throws Error (kBadInput) for a file
// that cannot be read or is no ONNX model. `data_files` (may be null) gets the paths of the files in which the model
// has weights.
std::string OnnxToHtml(const archive::ByteSource& source, std::vector<std::string>* data_files = nullptr);

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_ONNX_PAGE_H_
