// Computing in 16 bits.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_HALF_HALF_PRECISION_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_HALF_HALF_PRECISION_H_

#include <string>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

struct HalfPrecision {
  ir::DType dtype = ir::DType::kFloat16;  // or kBFloat16
  bool ports = false;                     // inputs and outputs of the model, too
  std::vector<std::string> float32 = {};  // operators, and modules (base/glob.h, MatchesPath), that stay
};

// Error (kUsage) for what the opset cannot say.
void CheckHalfPrecision(const HalfPrecision& wanted, int opset);

// Products (MatMul, Conv, LSTM ...) of float32 compute in 16 bits, with weights that are stored so; other nodes do
// where all that they take has become so, weights aside, as torch.autocast has it: what meets float32 is float32. Where
// the two meet is a Cast, one for each value. In float32 stay: what ONNX's schema has no 16 bits for, operators that
// need the bits (float32_operators.h), products of positions, weights with numbers beyond 16 bits and what is computed
// of them until it is small again, what goes into and out of If, Loop and Scan, and sequences. Comes after
// LiftConstants. Returns what was done, for people. Error (kUsage) for a name in `float32` that nothing has.
std::vector<std::string> ComputeInHalf(ir::Graph* graph, const HalfPrecision& wanted);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_HALF_HALF_PRECISION_H_
