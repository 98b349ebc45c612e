#include "onnxport/operators.h"

#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/passes/passes.h"

namespace onnxport {

OpsetRange SupportedOpsets() {
  const lowering::OpsetRange range = lowering::SupportedOpsets();
  return {range.first, range.last};
}

std::vector<OperatorSupport> ListOperators() {
  std::vector<OperatorSupport> operators;
  for (const lowering::DispatchRow& row : lowering::AllRows()) {
    operators.push_back({.name = row.name,
                         .opsets = {row.since, row.until},
                         .spec = row.spec,
                         .refusal = row.refusal == nullptr ? "" : row.refusal});
  }
  return operators;
}

std::vector<std::string> PassNames() { return passes::PassNames(); }

}  // namespace onnxport
