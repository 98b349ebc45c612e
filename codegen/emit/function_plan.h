// Where everything that an entry names is computed in its function.
#ifndef ONNXPORT_CODEGEN_EMIT_FUNCTION_PLAN_H_
#define ONNXPORT_CODEGEN_EMIT_FUNCTION_PLAN_H_

#include <set>
#include <string>
#include <vector>

#include "codegen/emit/let_plan.h"

namespace onnxport::codegen {

struct FunctionPlan {
  std::vector<PlannedLet> lets;                // the entry's
  std::vector<PlannedLet> repetition;          // those of its fold or loop
  std::vector<std::vector<PlannedLet>> cases;  // those of each case
  std::set<int> repetition_places;  // where the fold or loop stands: before the cases, or in each one that uses it
  std::set<std::string> used;       // names that something asks for
};

FunctionPlan PlanFunction(const Mapping& mapping);

// The rule that all cases share, or null.
const ComputeIn* CommonComputeIn(const Mapping& mapping);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_FUNCTION_PLAN_H_
