#include "runtime/sources/torch/known_operator.h"

#include "runtime/aten/aten_schema.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/trace/functionalize/twins.h"

namespace onnxport::torch_export {

bool IsKnownOperator(const std::string& name) {
  if (!lowering::RowsOf(name).empty()) return true;
  const ir::AtenSchema* schema = ir::FindAtenSchema(name);
  if (schema == nullptr || !schema->mutates()) return false;
  const functionalize::Twin twin = functionalize::FindTwin(*schema);
  return twin.schema != nullptr && !lowering::RowsOf(twin.schema->name).empty();
}

}  // namespace onnxport::torch_export
