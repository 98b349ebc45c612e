// Many exports at a glance: the records of each (export_report.h) as one table.
#ifndef ONNXPORT_EXPORT_INDEX_H_
#define ONNXPORT_EXPORT_INDEX_H_

#include <string>
#include <string_view>
#include <vector>

#include "onnxport/diagnostic.h"
#include "onnxport/expected.h"

namespace onnxport {

// One export: a record of it, ReportFormat::kJson.
struct IndexedExport {
  std::string name;         // what messages and the table call it
  std::string report;       // the text of the record
  std::string sha256 = {};  // of what was written, as `sha256sum` prints it: a line for each file; may be empty
};

struct ExportIndex {
  // {"tool": {...}, "models": [{"name": "resnet", "source": "resnet.pt2", "opset": 18, "result": "exported",
  //   "nodes": 12, "weights": 4, "bytes": 1000, "sha256": {"resnet.onnx": "..."}, "remarks": [...]}, ...]}
  // One that was refused has "refusals", one text each, and nothing that only a model has. The same for the same
  // records: no times.
  std::string json;
  std::string html;                       // the same as a page, well-formed and in one piece, that loads nothing
  std::vector<std::string> not_exported;  // names
};

// In the order of `exports`. kBadInput for a text that is no record of an export.
Result<ExportIndex> IndexExports(const std::vector<IndexedExport>& exports, std::string_view title);

}  // namespace onnxport

#endif  // ONNXPORT_EXPORT_INDEX_H_
