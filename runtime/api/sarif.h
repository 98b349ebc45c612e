// Records of exports in the form of static analysis tools.
#ifndef ONNXPORT_RUNTIME_API_SARIF_H_
#define ONNXPORT_RUNTIME_API_SARIF_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "onnxport/diagnostic.h"

namespace onnxport {

// A SARIF 2.1.0 log of one run: a result for each place of each diagnostic of `failure`, which may be null, and for
// each remark. `record` becomes the properties of the run.
nlohmann::ordered_json SarifOf(const Report* failure, const std::vector<std::string>& remarks,
                               nlohmann::ordered_json record);

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_API_SARIF_H_
