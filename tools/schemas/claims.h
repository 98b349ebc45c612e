// Compares what the specs rely on with a LibTorch.
#ifndef ONNXPORT_TOOLS_SCHEMAS_CLAIMS_H_
#define ONNXPORT_TOOLS_SCHEMAS_CLAIMS_H_

#include <map>
#include <string>
#include <vector>

#include "codegen/model/spec.h"

namespace onnxport::schemas {

// One line for each overload that a spec claims and whose schema in `linked` is not that of spec/aten_schemas.txt,
// with the entry's place and both texts. Overloads that no spec claims may differ. `version`: that of `linked`,
// "2.13.0"; one older than the schemas' may lack some.
std::vector<std::string> ClaimDifferences(const std::vector<codegen::SpecFile>& specs,
                                          const std::map<std::string, std::string>& linked, const std::string& version);

}  // namespace onnxport::schemas

#endif  // ONNXPORT_TOOLS_SCHEMAS_CLAIMS_H_
