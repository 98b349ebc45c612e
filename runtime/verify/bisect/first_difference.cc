#include "runtime/verify/bisect/first_difference.h"

#include <algorithm>

namespace onnxport::verify {

std::optional<size_t> FirstDifference(const std::vector<ComparedStep>& steps, size_t wrong) {
  // Two walks, each along every use once. Forwards: what differs, and where a difference begins. Example: a (agrees) ->
  // b (not compared) -> c (differs) -> d (differs): a difference begins at c, as b takes nothing that differs.
  // Backwards from the wrong output: only through steps that do not agree, since a difference cannot have come through
  // one that does. The earliest beginning that is reached is reported.
  std::vector<bool> differs(steps.size());
  std::vector<bool> begins(steps.size());
  for (size_t i = 0; i < wrong; ++i) {
    const bool taken = std::ranges::any_of(steps[i].takes, [&](size_t step) { return differs[step]; });
    begins[i] = steps[i].finding == Finding::kDiffers && !taken;
    differs[i] = steps[i].finding == Finding::kDiffers || (steps[i].finding == Finding::kNotCompared && taken);
  }
  std::vector<bool> reached(steps.size());
  reached[wrong] = true;
  std::optional<size_t> first;
  for (size_t i = wrong + 1; i-- > 0;) {
    if (!reached[i]) continue;
    if (begins[i]) first = i;
    for (const size_t step : steps[i].takes) {
      if (steps[step].finding != Finding::kAgrees) reached[step] = true;
    }
  }
  return first;
}

}  // namespace onnxport::verify
