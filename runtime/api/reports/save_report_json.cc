#include "runtime/api/reports/save_report_json.h"

namespace onnxport {

nlohmann::ordered_json JsonOf(const SaveReport& files) {
  nlohmann::ordered_json json = {{"model_bytes", files.model_bytes}};
  if (!files.data_file.empty()) {
    json["data_file"] = files.data_file;
    json["data_bytes"] = files.data_bytes;
  }
  return json;
}

}  // namespace onnxport
