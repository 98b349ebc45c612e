// The options of an export as JSON, for its report.
#ifndef ONNXPORT_RUNTIME_API_OPTIONS_OPTIONS_REPORT_H_
#define ONNXPORT_RUNTIME_API_OPTIONS_OPTIONS_REPORT_H_

#include <nlohmann/json.hpp>

#include "onnxport/export.h"

namespace onnxport {

// The opset, and the other options that differ from their defaults. A reader sees at a glance what is special about an
// export, and a new option does not change the reports of those who do not use it. Files and limits are left out, so
// that the report of the same export has the same bytes. ReadOptions (options_json.h) reads it.
nlohmann::ordered_json OptionsOf(const ExportOptions& options);

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_API_OPTIONS_OPTIONS_REPORT_H_
