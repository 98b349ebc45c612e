#include "runtime/aten/schema_questions.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace onnxport::ir {

namespace {

bool ReturnsSizes(const AtenSchema& schema) {
  return !schema.results.empty() && std::ranges::all_of(schema.results, [](const AtenArgument& result) {
    return result.type.kind == AtenKind::kSymInt && !result.type.list;
  });
}

}  // namespace

std::optional<Instruction> InstructionOf(const Operator& op) { return InstructionOf(op, FindAtenSchema(op)); }

// Operators of others that return a size may compute it of what the tensor holds.
std::optional<Instruction> InstructionOf(const Operator& op, const AtenSchema* schema) {
  constexpr std::string_view kSpace = "aten::";
  if (op.instruction()) return op.instruction();
  if (schema == nullptr || !ReturnsSizes(*schema) || !schema->name.text().starts_with(kSpace)) return std::nullopt;
  return FindSizeQuestion(schema->base_name().substr(kSpace.size()));
}

}  // namespace onnxport::ir
