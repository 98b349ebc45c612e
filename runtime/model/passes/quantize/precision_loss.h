// Counts the numbers in weights that become 0 in fewer bits.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_PRECISION_LOSS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_PRECISION_LOSS_H_

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace onnxport::passes {

// The number of nonzero elements that share a scale, before and after.
struct NonZeros {
  int64_t before = 0;
  int64_t after = 0;
};

// Returns true if almost nothing is left: no number, or a single one of 8 or more (one in 32 of many), because the
// others are tiny beside it. With `two_bits`, whose numbers are -1, 0 and 1, a single one is normal.
bool IsLost(NonZeros count, bool two_bits);

// Counts while weights are written, perhaps by two threads, because they are not read before.
class PrecisionLoss {
 public:
  // `way_out` suggests a type with more or larger scales.
  explicit PrecisionLoss(std::string_view way_out) : way_out_(way_out) {}

  // Notes the last reading of a weight: of its `scales` scales, `lost` have almost no numbers left.
  void Note(const std::string& weight, int64_t lost, int64_t scales);

  // The remark for the user; empty if nothing was lost.
  std::string Remark() const;

 private:
  struct Count {
    int64_t lost = 0;
    int64_t scales = 0;
  };

  std::string way_out_;
  mutable std::mutex mutex_;
  std::map<std::string, Count> counts_;  // by weight, for those that lost something
};

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_PRECISION_LOSS_H_
