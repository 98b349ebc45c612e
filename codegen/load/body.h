// Reads the parts that entries and cases share: the results, and the condition for them.
#ifndef ONNXPORT_CODEGEN_LOAD_BODY_H_
#define ONNXPORT_CODEGEN_LOAD_BODY_H_

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "codegen/load/fields.h"
#include "codegen/load/yaml.h"
#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

// In the order of Body::Kind: FindBody uses the index in this list as the kind. `map` has `emit` beside it, `if` has
// `then` and `else`.
constexpr std::array<std::string_view, 7> kBodyKeys = {"emit", "list", "sequence", "refuse", "hook", "if", "map"};

// Each reports mistakes. Use the result only if there were none.
bool HasBody(const Fields& fields);
Body ReadBody(const Fields& fields, const Place& place, Diagnostics* diagnostics);
Case ReadCase(const YamlNode& node, Diagnostics* diagnostics);
ComputeIn ReadComputeIn(const YamlNode& node, Diagnostics* diagnostics);
// Checks that `since` is not after `until`.
void CheckOpsets(const Fields& fields, const std::optional<int>& since, const std::optional<int>& until,
                 Diagnostics* diagnostics);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_BODY_H_
