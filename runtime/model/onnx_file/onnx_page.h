// Shows ONNX files as a page for a browser.
#ifndef ONNXPORT_RUNTIME_MODEL_ONNX_FILE_ONNX_PAGE_H_
#define ONNXPORT_RUNTIME_MODEL_ONNX_FILE_ONNX_PAGE_H_

#include <string>
#include <vector>

#include "runtime/archive/byte_source.h"

namespace onnxport::onnx_file {

// Returns one HTML file that loads nothing. It shows the model in figures, its inputs, outputs and free axes, operators
// by count, weights by size, and every node with its results, grouped by the program's modules. The page is well-formed
// XML if the names in the file are UTF-8 without control characters. Throws Error (kBadInput) for a file that cannot be
// read or is no ONNX model. If `data_files` is not null, it gets the paths of the files with the model's weights.
std::string OnnxToHtml(const archive::ByteSource& source, std::vector<std::string>* data_files = nullptr);

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_ONNX_PAGE_H_
