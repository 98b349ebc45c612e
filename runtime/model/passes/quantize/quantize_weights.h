// Stores weights as numbers of few bits, which the model converts to floats.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_QUANTIZE_WEIGHTS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_QUANTIZE_WEIGHTS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "onnxport/numbers.h"
#include "runtime/ir/graph.h"
#include "runtime/model/passes/quantize/precision_loss.h"

namespace onnxport::passes {

struct Quantization {
  WeightsAs as = {};
  std::vector<std::string> keep = {};  // patterns of weights that stay (base/glob.h, MatchesPath)
};

// Smaller weights stay: a runtime would spend more on them than they save.
inline constexpr int64_t kLeastQuantized = 1024;  // elements

// Throws Error (kUsage) for options that the opset, or any model, does not support.
void CheckQuantization(const Quantization& wanted, int opset);

// The changes to weights.
struct WeightReport {
  std::vector<std::string> remarks = {};           // for the user
  std::shared_ptr<const PrecisionLoss> lost = {};  // filled while the weights are written; null: no loss is possible
};

// A weight that only products read (product_weights.h) becomes numbers, scales and a DequantizeLinear, whose result
// replaces the weight. That node is before the first node of the graph's body that needs it, so it runs once. Weights
// that would not become smaller stay. Run it after all passes that compute with weights. Throws Error (kUsage) for a
// pattern that matches no weight. Returns the changes.
WeightReport QuantizeWeights(ir::Graph* graph, const Quantization& wanted);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_QUANTIZE_WEIGHTS_H_
