// Where the lets of a block are computed: at once, when first asked for, or not at all.
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

// Something that uses lets: an expression, and where it is evaluated.
struct Site {
  Uses uses;
  bool sure = true;            // evaluated whenever its place is reached
  int place = kWholeFunction;  // or the index of a case
};

struct PlannedLet {
  const Let* let;
  bool lazy = false;
  int place = kWholeFunction;
  bool sure = true;  // it is asked for whenever its place is reached
};

// Plans the lets of a case or of the rounds of a repetition. A let is computed at once when a site is sure to use it,
// otherwise lazily; an unused let is left out. Adds their own uses to `sites`.
std::vector<PlannedLet> PlanLets(const std::vector<Let>& lets, int place, std::span<const Def> defs,
                                 std::vector<Site>* sites);

// Lets of a block. One that a single case uses is computed in that case's block, unless it is `pinned` (a def needs
// it). With `hoist`, a let that every one of the `case_count` cases is sure to use is computed at once. `hoist` means
// that some case is always taken and that none has a `compute_in` of its own, because no node may be made before such a
// case is chosen.
std::vector<PlannedLet> PlanBlockLets(const std::vector<Let>& lets, std::span<const Def> defs,
                                      const std::set<std::string>& pinned, int case_count, bool hoist,
                                      std::vector<Site>* sites);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_LET_PLAN_H_
