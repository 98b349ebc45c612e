// Makes a model compute in 16 bits.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_HALF_HALF_PRECISION_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_HALF_HALF_PRECISION_H_

#include <string>
#include <vector>

#include "onnxport/numbers.h"
#include "runtime/ir/graph.h"

namespace onnxport::passes {

struct HalfPrecision {
  ComputeAs as = {};
  std::vector<std::string> float32 = {};  // operators and modules (base/glob.h, MatchesPath) that stay in float32
};

// Throws Error (kUsage) for options that the opset does not support.
void CheckHalfPrecision(const HalfPrecision& wanted, int opset);

// Products (MatMul, Conv, LSTM ...) of float32 compute in 16 bits, with weights stored in 16 bits. Other nodes do so if
// all their inputs, except weights, are in 16 bits. As in torch.autocast, a node with a float32 input is float32.
// Between the two precisions there is a Cast, one for each value.
//
// These stay in float32:
// - nodes for which ONNX's schema has no 16-bit types, and operators that need the bits (float32_operators.h);
// - products of positions;
// - weights with numbers beyond the range of 16 bits, and values computed from them until they are small again;
// - inputs and outputs of If, Loop and Scan, and sequences.
//
// Run it after LiftConstants. Returns remarks for the user. Throws Error (kUsage) for a name in `float32` without a
// match.
std::vector<std::string> ComputeInHalf(ir::Graph* graph, const HalfPrecision& wanted);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_HALF_HALF_PRECISION_H_
