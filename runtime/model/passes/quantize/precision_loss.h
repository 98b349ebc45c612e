// Counts the numbers of weights that become 0 in fewer bits.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_PRECISION_LOSS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_PRECISION_LOSS_H_

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace onnxport::passes {

// The numbers that share a scale and are not 0, before and after.
struct NonZeros {
  int64_t before = 0;
  int64_t after = 0;
};

// Returns true if next to nothing is left: no number, or a single one of 8 and more (one in 32 of many), beside which
// the others are nothing. With `two_bits`, whose numbers are -1, 0 and 1, that is nothing unusual.
bool IsLost(NonZeros count, bool two_bits);

// Counted while weights are written, perhaps by two threads, as they are not read before.
class PrecisionLoss {
 public:
  // `way_out`: what has more scales, or larger ones.
  explicit PrecisionLoss(std::string_view way_out) : way_out_(way_out) {}

  // Notes the last reading of a weight: among `scales` scales, the numbers of `lost` became next to nothing.
  void Note(const std::string& weight, int64_t lost, int64_t scales);

  // For people; empty: nothing was lost.
  std::string Remark() const;

 private:
  struct Count {
    int64_t lost = 0;
    int64_t scales = 0;
  };

  std::string way_out_;
  mutable std::mutex mutex_;
  std::map<std::string, Count> counts_;  // of weights that lost something
};

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_PRECISION_LOSS_H_
