#include "runtime/aten/schema_questions.h"

#include <algorithm>

namespace onnxport::ir {

bool ReturnsSizes(const AtenSchema& schema) {
  return !schema.results.empty() && std::ranges::all_of(schema.results, [](const AtenArgument& result) {
    return result.type.kind == AtenKind::kSymInt && !result.type.list;
  });
}

}  // namespace onnxport::ir
