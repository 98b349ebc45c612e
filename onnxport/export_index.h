// Combines the records of many exports (export_report.h) in one table.
#ifndef ONNXPORT_EXPORT_INDEX_H_
#define ONNXPORT_EXPORT_INDEX_H_

#include <string>
#include <string_view>
#include <vector>

#include "onnxport/diagnostic.h"
#include "onnxport/expected.h"

namespace onnxport {

// One export, as its record of ReportFormat::kJson.
struct IndexedExport {
  std::string name;         // its name in messages and in the table
  std::string report;       // the text of the record
  std::string sha256 = {};  // of the written files, as `sha256sum` prints it: a line for each; may be empty
};

struct ExportIndex {
  // The table as JSON:
  //
  //     {"tool": {...}, "models": [{"name": "resnet", "source": "resnet.pt2", "opset": 18, "result": "exported",
  //       "nodes": 12, "weights": 4, "bytes": 1000, "sha256": {"resnet.onnx": "..."}, "remarks": [...]}, ...]}
  //
  // A refused model has "refusals", one text each, and no key that describes a model. It has no times, so the same
  // records give the same index.
  std::string json;
  std::string html;                       // the same as one well-formed page that loads nothing
  std::vector<std::string> not_exported;  // their names
};

// Keeps the order of `exports`. kBadInput for a text that is no record of an export.
Result<ExportIndex> IndexExports(const std::vector<IndexedExport>& exports, std::string_view title);

}  // namespace onnxport

#endif  // ONNXPORT_EXPORT_INDEX_H_
