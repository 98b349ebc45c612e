// The `tests:` of an entry.
#ifndef ONNXPORT_CODEGEN_LOAD_TEST_CASE_H_
#define ONNXPORT_CODEGEN_LOAD_TEST_CASE_H_

#include <optional>

#include "codegen/load/yaml.h"
#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

// `{self: 'f32[2,3]', dim: 1, opset: [13]}`; reports mistakes. `overload` stays as written.
TestCase ReadTestCase(const YamlNode& node, Diagnostics* diagnostics);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_TEST_CASE_H_
