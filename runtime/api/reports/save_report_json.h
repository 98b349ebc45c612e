// A SaveReport as JSON, for reports.
#ifndef ONNXPORT_RUNTIME_API_REPORTS_SAVE_REPORT_JSON_H_
#define ONNXPORT_RUNTIME_API_REPORTS_SAVE_REPORT_JSON_H_

#include <nlohmann/json.hpp>

#include "onnxport/model.h"

namespace onnxport {

// {"model_bytes": 1000, "data_file": "model.1f2e.data", "data_bytes": 5000}, without what there is not.
nlohmann::ordered_json JsonOf(const SaveReport& files);

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_API_REPORTS_SAVE_REPORT_JSON_H_
