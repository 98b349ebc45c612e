// The names that specs use for an operator's results: under `emit`, and in the relations of tests.
#ifndef ONNXPORT_CODEGEN_MODEL_RESULT_NAMES_H_
#define ONNXPORT_CODEGEN_MODEL_RESULT_NAMES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "runtime/aten/aten_schema.h"

namespace onnxport::codegen {

// Its name in the schema; of one without a name `result`, or of several `result0`, `result1`.
inline std::string ResultName(const ir::AtenSchema& schema, size_t i) {
  const std::string& name = schema.results[i].name;
  if (!name.empty()) return name;
  return schema.results.size() == 1 ? "result" : "result" + std::to_string(i);
}

inline std::vector<std::string> ResultNames(const ir::AtenSchema& schema) {
  std::vector<std::string> names;
  for (size_t i = 0; i < schema.results.size(); ++i) names.push_back(ResultName(schema, i));
  return names;
}

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_MODEL_RESULT_NAMES_H_
