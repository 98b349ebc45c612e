// The passes over a lowered graph, in order.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_PASSES_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_PASSES_H_

#include <optional>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/model/passes/finish/naming.h"
#include "runtime/model/passes/half/half_precision.h"
#include "runtime/model/passes/quantize/quantize_weights.h"

namespace onnxport::passes {

struct Options {
  std::vector<std::string> disabled;  // names of `PassNames`
  NamingOptions naming = {};
  std::optional<Quantization> quantization = {};
  std::optional<HalfPrecision> half_precision = {};
  // Operators that the user asks for: passes fuse the nodes that spell them out.
  std::vector<std::string> kept = {};
  std::vector<std::string> domains = {};  // their operators may be used: "com.microsoft"
};

// The passes that can be switched off, in the order in which they run.
std::vector<std::string> PassNames();

// Error (kUsage) for options that fit no model of this opset, before any work is done.
void Check(const Options& options, int opset);

// Simplifies `graph` until nothing changes, then makes it ready to be written: outputs have values of their own, and
// every value and node has its name. Throws what `Check` and `NamePorts` throw, before anything else. Returns what
// became of weights; its remarks say which of `kept` nothing became, and why.
WeightReport Run(ir::Graph* graph, const Options& options = {});

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_PASSES_H_
