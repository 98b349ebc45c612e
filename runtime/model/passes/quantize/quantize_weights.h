// Weights as numbers of few bits that the model makes floats of.
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

// Smaller ones stay: a runtime has more work with them than they take.
inline constexpr int64_t kLeastQuantized = 1024;  // elements

// Error (kUsage) for what the opset, or no model, can say.
void CheckQuantization(const Quantization& wanted, int opset);

// The changes to weights.
struct WeightReport {
  std::vector<std::string> remarks = {};           // for people
  std::shared_ptr<const PrecisionLoss> lost = {};  // filled while the weights are written; null: nothing can be
};

// Each weight that only products read (product_weights.h) becomes numbers, scales and a DequantizeLinear, whose result
// takes the weight's place. That node is in front of the first node of the graph's body that needs it, so it runs once.
// Weights that would not become smaller stay, too. Comes after all passes that compute with weights. Returns the
// changes. Error (kUsage) for a pattern that matches no weight.
WeightReport QuantizeWeights(ir::Graph* graph, const Quantization& wanted);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_QUANTIZE_WEIGHTS_H_
