// Where everything that a block names is computed in its function.
#ifndef ONNXPORT_CODEGEN_EMIT_BLOCK_PLAN_H_
#define ONNXPORT_CODEGEN_EMIT_BLOCK_PLAN_H_

#include <set>
#include <span>
#include <string>
#include <vector>

#include "codegen/emit/let_plan.h"

namespace onnxport::codegen {

struct BlockPlan {
  std::vector<PlannedLet> lets;                // the block's
  std::vector<PlannedLet> repetition;          // those of its fold or loop
  std::vector<std::vector<PlannedLet>> cases;  // those of each case
  std::set<int> repetition_places;  // where the fold or loop stands: before the cases, or in each one that uses it
  std::set<std::string> used;       // names that something asks for
};

// The plan of an entry.
BlockPlan PlanOf(const Mapping& mapping);
// The plan of a definition. `defs` are those that see the same names as it does.
BlockPlan PlanOf(const Def& def, std::span<const Def> defs);

// The rule that all cases share, or null.
const ComputeIn* CommonComputeIn(const Block& block);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_BLOCK_PLAN_H_
