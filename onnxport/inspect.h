// Models as text, for people.
#ifndef ONNXPORT_INSPECT_H_
#define ONNXPORT_INSPECT_H_

#include <string>

#include "onnxport/expected.h"
#include "onnxport/export.h"
#include "onnxport/source.h"

namespace onnxport {

// Of a `.pt2` its calls; of a TorchScript file the calls that are made when its inputs are known (from `options` or
// from the file), and its code when they are not; of an ONNX file its nodes, without the bytes of its weights. The text
// is for reading: its form may change. See `Visible` in text.h before it goes to a terminal. Fails as `Export` does.
Result<std::string> Inspect(const Source& source, const ExportOptions& options = {});

}  // namespace onnxport

#endif  // ONNXPORT_INSPECT_H_
