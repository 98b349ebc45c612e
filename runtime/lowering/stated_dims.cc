#include "runtime/lowering/stated_dims.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "runtime/lowering/build/tensor.h"

namespace onnxport::lowering {
namespace {

constexpr size_t kMaxSymbols = 16;
constexpr int kTrials = 48;
constexpr int64_t kFarthest = int64_t{1} << 20;  // products of a few of them fit int64

// The ends of the range, then small and large numbers between them, with another step for each symbol.
int64_t TrialValue(const ir::Range& range, size_t symbol, int trial) {
  const int64_t low = std::clamp(range.min.value_or(-kFarthest), -kFarthest, kFarthest);
  const int64_t high = std::clamp(range.max.value_or(kFarthest), low, kFarthest);
  if (trial < 2) return trial == 0 ? low : high;
  const int64_t span = trial % 2 == 0 ? std::min<int64_t>(high - low, 96) : high - low;
  return low + (trial * (7919 + 2 * static_cast<int64_t>(symbol)) + trial / 2) % (span + 1);
}

}  // namespace

bool AgreesWith(const ir::Dim& stated, int64_t number, const ir::Ranges& ranges) {
  const ir::Range bounds = AssumedBounds(stated, ranges);
  if ((bounds.min && *bounds.min > number) || (bounds.max && *bounds.max < number)) return false;
  if (bounds.min && bounds.min == bounds.max) return true;
  const std::vector<std::string> symbols = stated.symbols();
  if (symbols.empty() || symbols.size() > kMaxSymbols) return false;
  if (!stated.symbol() && std::all_of(symbols.begin(), symbols.end(), IsUnbacked)) return true;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::map<std::string, ir::Dim> values;
    for (size_t i = 0; i < symbols.size(); ++i) {
      values[symbols[i]] = TrialValue(AssumedBounds(ir::Dim::Symbol(symbols[i]), ranges), i, trial);
    }
    if (stated.Substitute(values) != ir::Dim(number)) return false;
  }
  return true;
}

}  // namespace onnxport::lowering
