// A record of an export: its options and its outcome.
#ifndef ONNXPORT_EXPORT_REPORT_H_
#define ONNXPORT_EXPORT_REPORT_H_

#include <optional>
#include <string>
#include <string_view>

#include "onnxport/diagnostic.h"
#include "onnxport/expected.h"
#include "onnxport/export.h"
#include "onnxport/model.h"

namespace onnxport {

enum class ReportFormat {
  kJson,
  kMarkdown,
  kSarif,  // SARIF 2.1.0: refusals are errors, remarks are notes; the run's properties have the record of kJson
};

// Returns the format for the ending: `.json`, `.md`, `.sarif`; kUsage for another.
Result<ReportFormat> ReportFormatOf(std::string_view file);

struct ExportRecord {
  std::string source;                    // the name of the model that was read
  const ExportOptions& options;          // as they were given to Export
  const Model* model = nullptr;          // the exported model, or null
  const Report* failure = nullptr;       // why nothing was exported or written; may be null
  std::optional<SaveReport> files = {};  // the written files
  bool times = true;                     // the record says how long each stage took
  OptionName option_name = OptionAsKey;  // how the record's texts name options
};

// Returns the record as text, UTF-8. In JSON, keys of unknown things are left out.
//     {"tool": {"name": "onnxport", "version": "0.1.0", "onnx": "1.23.2"}, "source": "model.pt2", "result": "exported",
//      "options": {"opset": 18, "inputs": ["x=float32[batch,3]"], ...},
//      "inputs": [{"name": "x", "dtype": "float32", "shape": ["batch", 3]}], "outputs": [...],
//      "axes": {"batch": {"input": "x", "axis": 0, "min": 1, "max": 64}},
//      "state": [{"dtype": "float32", "shape": [1, 8], "input": "h", "output": "h.next", "first_value": "h"}],
//      "operators": [{"name": "aten::linear", "calls": 2, "spec": "spec/aten/linear.yaml:3", "nodes": {"Gemm": 2}}],
//      "nodes": 12, "weights": 4, "warnings": [{"code": "W0600", "text": "..."}], "remarks": [...],
//      "stages": [{"name": "read", "ms": 1.5}], "files": {"model_bytes": 1000}}
// "first_value" of a state is the buffer of the program whose contents a caller begins with.
// The "result" of a failed export is its kind, and "failure" is what Report::Json returns. Two records of the same
// export differ only in their times.
std::string TextOf(const ExportRecord& record, ReportFormat format);

}  // namespace onnxport

#endif  // ONNXPORT_EXPORT_REPORT_H_
