// Records of exports in the form of static analysis tools.
#ifndef ONNXPORT_RUNTIME_API_REPORTS_SARIF_H_
#define ONNXPORT_RUNTIME_API_REPORTS_SARIF_H_

#include <nlohmann/json.hpp>

#include "onnxport/export_report.h"

namespace onnxport {

// A SARIF 2.1.0 log of one run: a result for each place of each diagnostic, and for each warning and remark of the
// model. `record`, which is the same export as JSON, becomes the properties of the run.
nlohmann::ordered_json SarifOf(const ExportRecord& exported, nlohmann::ordered_json record);

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_API_REPORTS_SARIF_H_
