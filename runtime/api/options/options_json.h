// Options as JSON, for programs in other languages (onnxport/c.h). docs/c.md lists the keys.
#ifndef ONNXPORT_RUNTIME_API_OPTIONS_OPTIONS_JSON_H_
#define ONNXPORT_RUNTIME_API_OPTIONS_OPTIONS_JSON_H_

#include <string>
#include <string_view>

#include "onnxport/export.h"

namespace onnxport {

struct JsonOptions {
  ExportOptions exporting;
  SaveOptions saving;
};

// {"opset": 18, "inputs": ["x=f32[batch,3]"]}; no text is no options. The time for "max_seconds" begins now. Throws
// Error (kUsage) with all mistakes: keys that are unknown or given twice, wrong types and wrong words.
JsonOptions ReadOptions(std::string_view json);
// The same where only a file is written: of the keys of SaveOptions.
SaveOptions ReadSaveOptions(std::string_view json);

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_API_OPTIONS_OPTIONS_JSON_H_
