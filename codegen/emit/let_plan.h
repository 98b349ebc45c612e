// Plans when the lets of a block are computed: at once, on first use, or never.
#ifndef ONNXPORT_CODEGEN_EMIT_LET_PLAN_H_
#define ONNXPORT_CODEGEN_EMIT_LET_PLAN_H_

#include <set>
#include <span>
#include <string>
#include <vector>

#include "codegen/model/spec.h"
#include "codegen/model/uses.h"

namespace onnxport::codegen {

inline constexpr int kWholeFunction = -1;

// An expression that uses lets, and the place where it is evaluated.
struct Site {
  Uses uses;
  bool sure = true;            // evaluated whenever its place is reached
  int place = kWholeFunction;  // or the index of a case
};

struct PlannedLet {
  const Let* let;
  bool lazy = false;
  int place = kWholeFunction;
  bool sure = true;  // used whenever its place is reached
};

// Plans the lets of a case or of the body of a repetition. A let is computed at once if some site always uses it,
// otherwise on first use. An unused let is left out. The uses in the lets themselves are added to `sites`.
std::vector<PlannedLet> PlanLets(const std::vector<Let>& lets, int place, std::span<const Def> defs,
                                 std::vector<Site>* sites);

// Plans the lets of a block. If only one case uses a let, the let is computed in that case, unless it is `pinned` (a
// def needs it). With `hoist`, a let that each of the `case_count` cases always uses is computed at once. `hoist`
// requires that some case is always taken and that no case has its own `compute_in`, because no node may be made before
// such a case is chosen.
std::vector<PlannedLet> PlanBlockLets(const std::vector<Let>& lets, std::span<const Def> defs,
                                      const std::set<std::string>& pinned, int case_count, bool hoist,
                                      std::vector<Site>* sites);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_LET_PLAN_H_
