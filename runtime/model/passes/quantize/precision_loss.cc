#include "runtime/model/passes/quantize/precision_loss.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "runtime/base/text.h"
#include "runtime/model/passes/quantize/join_names.h"

namespace onnxport::passes {
namespace {

constexpr int64_t kFew = 8;          // of which one that is left may be as good as all
constexpr int64_t kLeftOfMany = 32;  // one of so many

}  // namespace

bool IsLost(NonZeros count, bool two_bits) {
  if (count.before == 0) return false;  // nothing was there
  if (count.after == 0) return true;
  return !two_bits && count.before >= kFew && count.after <= std::max<int64_t>(count.before / kLeftOfMany, 1);
}

void PrecisionLoss::Note(const std::string& weight, int64_t lost, int64_t scales) {
  const std::lock_guard lock(mutex_);
  counts_.erase(weight);  // of another time that the model was written
  if (lost > 0) counts_[weight] = {.lost = lost, .scales = scales};
}

std::string PrecisionLoss::Remark() const {
  const std::lock_guard lock(mutex_);
  if (counts_.empty()) return "";
  std::vector<std::string> weights;
  for (const auto& [name, count] : counts_)
    weights.push_back(fmt::format("{} ({} of {} scales)", Printable(name), count.lost, count.scales));
  return fmt::format(
      "numbers that are too small beside the largest one that has the same scale became 0, all of a scale or nearly "
      "all, in {}: leave the weight as it is (<<weights_keep>>), or take {}",
      JoinNames(weights), way_out_);
}

}  // namespace onnxport::passes
