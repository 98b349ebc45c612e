#include "runtime/model/passes/passes.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/base/interruption.h"
#include "runtime/model/passes/attention/fuse_attention.h"
#include "runtime/model/passes/attention/fuse_causal_convs.h"
#include "runtime/model/passes/attention/fuse_grouped_attention.h"
#include "runtime/model/passes/attention/fuse_rotations.h"
#include "runtime/model/passes/attention/fuse_skip_norms.h"
#include "runtime/model/passes/attention/join_heads.h"
#include "runtime/model/passes/finish/keep_empty.h"
#include "runtime/model/passes/finish/keep_padding.h"
#include "runtime/model/passes/finish/lift_constants.h"
#include "runtime/model/passes/finish/repeat_constants.h"
#include "runtime/model/passes/finish/separate_outputs.h"
#include "runtime/model/passes/graph/remove_dead.h"
#include "runtime/model/passes/kept_operators.h"
#include "runtime/model/passes/packed/fuse_dequantize.h"
#include "runtime/model/passes/simplify/fold_constants.h"
#include "runtime/model/passes/simplify/fuse_operators.h"
#include "runtime/model/passes/simplify/merge_chains.h"
#include "runtime/model/passes/simplify/merge_duplicates.h"
#include "runtime/model/passes/simplify/merge_reshapes.h"
#include "runtime/model/passes/simplify/merge_views.h"
#include "runtime/model/passes/simplify/order_nodes.h"
#include "runtime/model/passes/simplify/remove_noops.h"
#include "runtime/model/passes/simplify/simplify_shapes.h"
#include "runtime/model/passes/simplify/sink_transposes.h"
#include "runtime/model/passes/weights/cast_weights.h"
#include "runtime/model/passes/weights/fold_batch_norms.h"
#include "runtime/model/passes/weights/fold_weight_norms.h"
#include "runtime/model/passes/weights/rearrange_weights.h"
#include "runtime/model/passes/weights/transpose_weights.h"

namespace onnxport::passes {
namespace {

enum class When : uint8_t {
  kRounds,    // repeated, because one pass makes work for another
  kOnce,      // after the rounds
  kKept,      // after those, if the user asks for the operator of that name; then the rounds again
  kDomain,    // after those, if the user allows the domain
  kKeptLast,  // after those, if the user asks for the operator; then the rounds again
};

struct Pass {
  const char* name;  // of the pass; of the operator that it makes, where that decides whether it runs
  When when;
  bool (*run)(ir::Graph* graph);
  const char* domain = "";
};

// In this order, group after group.
constexpr Pass kPasses[] = {
    // Duplicates first, so that equal computations are folded once.
    {"merge-duplicates", When::kRounds, MergeDuplicates},
    {"fold-constants", When::kRounds, FoldConstants},
    {"simplify-shapes", When::kRounds, SimplifyShapes},
    {"remove-noops", When::kRounds, RemoveNoops},
    {"sink-transposes", When::kRounds, SinkTransposes},
    {"merge-views", When::kRounds, MergeViews},
    {"merge-reshapes", When::kRounds, MergeReshapes},
    {"merge-chains", When::kRounds, MergeChains},
    {"remove-dead", When::kRounds, RemoveDead},
    // Patterns first, because they match the nodes after the rounds. Each of the next passes needs weights that an
    // earlier one made. For example, the weight of weight_norm must be computed before the batch norm after its Conv
    // can be folded into it. And gates that are sliced and joined must be one weight before they are transposed.
    {"fuse-operators", When::kOnce, FuseOperators},
    {"fold-weight-norms", When::kOnce, FoldWeightNorms},
    {"cast-weights", When::kOnce, CastWeights},
    {"rearrange-weights", When::kOnce, RearrangeWeights},
    {"transpose-weights", When::kOnce, TransposeWeights},
    {"fold-batch-norms", When::kOnce, FoldBatchNorms},
    {"Attention", When::kKept, FuseAttention},
    {"RotaryEmbedding", When::kKept, FuseRotations},
    {"CausalConvWithState", When::kKept, FuseCausalConvs},
    {"SwiGLU", When::kKept, FuseGatedUnits},
    {"DequantizeLinear", When::kKept, FuseDequantize},
    // By then, decomposed attention of a program is an operator.
    {"GroupQueryAttention", When::kDomain, FuseGroupedAttention, "com.microsoft"},
    {"SkipSimplifiedLayerNormalization", When::kDomain, FuseSkipNorms, "com.microsoft"},
    // The passes before need a separate axis for heads.
    {"Attention", When::kKeptLast, JoinHeads},
};

// Says what is nearest to an operator in a graph without it, and why it is none; empty where nothing is near.
struct Reason {
  std::string_view op;
  std::string (*why_not)(const ir::Graph& graph);
};

constexpr Reason kReasons[] = {
    {"Attention", WhyNoAttention},      {"RotaryEmbedding", WhyNoRotary},
    {"RMSNormalization", WhyNoRmsNorm}, {"CausalConvWithState", WhyNoCausalConv},
    {"SwiGLU", WhyNoGatedUnit},         {"DequantizeLinear", WhyNoDequantize},
};

bool Has(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool Runs(const Pass& pass, const Options& options) {
  switch (pass.when) {
    case When::kRounds:
    case When::kOnce:
      return !Has(options.disabled, pass.name);
    case When::kKept:
    case When::kKeptLast:
      return Has(options.kept, pass.name);
    case When::kDomain:
      return Has(options.domains, pass.domain);
  }
  return false;
}

// Every round shortens some chain. A graph that needs more rounds stays a little longer than necessary.
constexpr int kMostRounds = 10;

bool HasNode(const ir::Block& block, std::string_view op) {
  return std::ranges::any_of(block.nodes, [op](const ir::Node& node) {
    return node.op == op ||
           std::ranges::any_of(node.blocks, [op](const ir::Block& inner) { return HasNode(inner, op); });
  });
}

// The operator itself, or the operator that a domain's pass made from it.
bool HasKept(const ir::Graph& graph, std::string_view op) {
  return HasNode(graph.body, op) || std::ranges::any_of(KeptOperators(), [&](const KeptOperator& kept) {
           return kept.name == op && HasNode(graph.body, kept.further);
         });
}

std::string WhyNot(const ir::Graph& graph, std::string_view op) {
  const auto* reason = std::ranges::find(kReasons, op, &Reason::op);
  if (reason != std::end(kReasons)) {
    if (std::string why = reason->why_not(graph); !why.empty()) return why;
  }
  return "no part of the program matches that operator";
}

std::vector<std::string> NotMade(const ir::Graph& graph, const std::vector<std::string>& kept) {
  std::vector<std::string> remarks;
  for (const std::string& op : kept) {
    if (!HasKept(graph, op)) remarks.push_back(fmt::format("nothing became {}: {}", op, WhyNot(graph, op)));
  }
  return remarks;
}

}  // namespace

std::vector<std::string> PassNames() {
  std::vector<std::string> names;
  for (const Pass& pass : kPasses) {
    if (pass.when == When::kRounds || pass.when == When::kOnce) names.emplace_back(pass.name);
  }
  return names;
}

void Check(const Options& options, int opset) {
  CheckNaming(options.naming);
  if (options.quantization) CheckQuantization(*options.quantization, opset);
  if (options.half_precision) CheckHalfPrecision(*options.half_precision, opset);
  const std::vector<std::string> known = PassNames();
  for (const std::string& name : options.disabled) {
    if (Has(known, name)) continue;
    throw Error(Code::kNoSuchName, fmt::format("there is no pass `{}`; there are {}", name, fmt::join(known, ", ")));
  }
}

WeightReport Run(ir::Graph* graph, const Options& options) {
  Check(options, graph->opset);
  NamePorts(graph, options.naming);
  bool finished = true;
  OrderNodes(graph);  // first, because it decides which of two duplicates is kept
  const auto run = [&](When when) {
    bool changed = false;
    for (const Pass& pass : kPasses) {
      if (pass.when != when || !Runs(pass, options)) continue;
      Interruption::Check();
      changed |= pass.run(graph);
    }
    return changed;
  };
  const auto simplify = [&] {
    bool changed = true;
    for (int round = 0; changed && round < kMostRounds; ++round) changed = run(When::kRounds);
    finished = finished && !changed;
  };
  simplify();
  run(When::kOnce);
  // Layers share masks and angles. Transposes for a product are undone for the operator.
  if (run(When::kKept)) simplify();
  bool fused = run(When::kDomain);
  fused |= run(When::kKeptLast);
  if (fused) simplify();
  WeightReport report;
  if (options.quantization) report = QuantizeWeights(graph, *options.quantization);
  if (!finished) {
    report.remarks.push_back(
        fmt::format("the passes still found something to simplify after {} rounds: the model is right, and may be "
                    "longer than it could be",
                    kMostRounds));
  }
  std::ranges::move(NotMade(*graph, options.kept), std::back_inserter(report.remarks));
  // Changes that runtimes need.
  //
  // The order counts:
  // - Integers are made from weights before the weights are rounded to 16 bits.
  // - ComputeInHalf and RepeatConstants take the weights without a name that LiftConstants and KeepEmpty make.
  // - KeepPadding needs the final Pad of a MaxPool.
  // - RemoveNoops would undo the Identity of SeparateOutputs.
  // - Names come last, when no more nodes are added.
  LiftConstants(graph);
  if (KeepEmpty(graph)) RemoveDead(graph);
  if (options.half_precision)
    std::ranges::move(ComputeInHalf(graph, *options.half_precision), std::back_inserter(report.remarks));
  RepeatConstants(graph);
  KeepPadding(graph);
  SeparateOutputs(graph);
  NameValues(graph);
  return report;
}

}  // namespace onnxport::passes
