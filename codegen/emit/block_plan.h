// Plans where each let of a block is computed in its function.
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
  std::vector<PlannedLet> repetition;          // the lets of its fold or loop
  std::vector<std::vector<PlannedLet>> cases;  // the lets of each case
  std::set<int> repetition_places;  // places of the fold or loop: before the cases, or in each case that uses it
  std::set<std::string> used;       // names that some expression reads
};

// The plan of an entry.
BlockPlan PlanOf(const Mapping& mapping);
// The plan of a definition. `defs` are the definitions that see the same names.
BlockPlan PlanOf(const Def& def, std::span<const Def> defs);

// The rule that all cases share, or null.
const ComputeIn* CommonComputeIn(const Block& block);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_BLOCK_PLAN_H_
