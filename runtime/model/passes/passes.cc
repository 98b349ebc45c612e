#include "runtime/model/passes/passes.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <span>
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

struct Pass {
  const char* name;
  bool (*run)(ir::Graph* graph);
};

// Repeated, as one makes work for another. Duplicates first, so that what is computed of constants is so once.
constexpr Pass kSimplify[] = {
    {"merge-duplicates", MergeDuplicates}, {"fold-constants", FoldConstants},   {"simplify-shapes", SimplifyShapes},
    {"remove-noops", RemoveNoops},         {"sink-transposes", SinkTransposes}, {"merge-views", MergeViews},
    {"merge-reshapes", MergeReshapes},     {"merge-chains", MergeChains},       {"remove-dead", RemoveDead},
};
// Once nothing else changes: operators for what is spelled out, and weights of weights.
// In this order, as each needs weights where the ones before leave some: what weight_norm computes must be one weight
// before the batch norm after its Conv is folded into it, and gates that are sliced and joined must be one before they
// are transposed. Fusing comes before all: its patterns know the nodes as the rounds leave them.
constexpr Pass kOnce[] = {
    {"fuse-operators", FuseOperators},       {"fold-weight-norms", FoldWeightNorms},
    {"cast-weights", CastWeights},           {"rearrange-weights", RearrangeWeights},
    {"transpose-weights", TransposeWeights}, {"fold-batch-norms", FoldBatchNorms},
};
// After those, if the user asks for the operator that it makes; named by that.
constexpr Pass kOnRequest[] = {{"Attention", FuseAttention},
                               {"RotaryEmbedding", FuseRotations},
                               {"CausalConvWithState", FuseCausalConvs},
                               {"SwiGLU", FuseGatedUnits},
                               {"DequantizeLinear", FuseDequantize}};
// After those, if the user allows the domain of the operators that it makes. Attention of a program that spells it out
// is there by then, if it is asked for.
struct DomainPass {
  const char* domain;
  Pass pass;
};
constexpr DomainPass kOfDomains[] = {{"com.microsoft", {"GroupQueryAttention", FuseGroupedAttention}},
                                     {"com.microsoft", {"SkipSimplifiedLayerNormalization", FuseSkipNorms}}};
// After those, as they want heads to be an axis of their own; if the user asks for the operator.
constexpr Pass kLast[] = {{"Attention", JoinHeads}};
// Every round shortens some chain; a graph that needs more rounds than this stays a little longer than it could be.
constexpr int kMostRounds = 10;

}  // namespace

std::vector<std::string> PassNames() {
  std::vector<std::string> names;
  for (const Pass& pass : kSimplify) names.emplace_back(pass.name);
  for (const Pass& pass : kOnce) names.emplace_back(pass.name);
  return names;
}

void Check(const Options& options, int opset) {
  CheckNaming(options.naming);
  if (options.quantization) CheckQuantization(*options.quantization, opset);
  if (options.half_precision) CheckHalfPrecision(*options.half_precision, opset);
  const std::vector<std::string> known = PassNames();
  for (const std::string& name : options.disabled) {
    if (std::ranges::find(known, name) != known.end()) continue;
    throw Error(ErrorKind::kUsage, fmt::format("there is no pass `{}`; there are {}", name, fmt::join(known, ", ")));
  }
}

WeightReport Run(ir::Graph* graph, const Options& options) {
  Check(options, graph->opset);
  NamePorts(graph, options.naming);
  const auto enabled = [&](const Pass& pass) {
    return std::ranges::find(options.disabled, pass.name) == options.disabled.end();
  };
  const auto run = [graph](const Pass& pass) {
    Interruption::Check();
    return pass.run(graph);
  };
  bool finished = true;
  OrderNodes(graph);  // first: what is kept of duplicates depends on it
  const auto simplify = [&] {
    bool changed = true;
    for (int round = 0; changed && round < kMostRounds; ++round) {
      changed = false;
      for (const Pass& pass : kSimplify) {
        if (enabled(pass)) changed |= run(pass);
      }
    }
    finished = finished && !changed;
  };
  simplify();
  for (const Pass& pass : kOnce) {
    if (enabled(pass)) run(pass);
  }
  // Layers share masks and angles, and what was turned for a product is turned back for the operator.
  const auto asked_for = [&](std::span<const Pass> passes) {
    bool changed = false;
    for (const Pass& pass : passes) {
      if (std::ranges::find(options.kept, pass.name) != options.kept.end()) changed |= run(pass);
    }
    return changed;
  };
  if (asked_for(kOnRequest)) simplify();
  bool fused = false;
  for (const auto& [domain, pass] : kOfDomains) {
    if (std::ranges::find(options.domains, domain) != options.domains.end()) fused |= run(pass);
  }
  fused |= asked_for(kLast);
  if (fused) simplify();
  WeightReport report;
  if (options.quantization) report = QuantizeWeights(graph, *options.quantization);
  if (!finished) {
    report.remarks.push_back(
        fmt::format("the passes still found something to simplify after {} rounds: the model is right, and may be "
                    "longer than it could be",
                    kMostRounds));
  }
  // What runtimes ask for.
  // The order counts: integers are made of weights before those are rounded to 16 bits; ComputeInHalf and
  // RepeatConstants take the weights without a name that LiftConstants and KeepEmpty make; KeepPadding looks at the Pad
  // that a MaxPool has in the end; RemoveNoops would undo the Identity of SeparateOutputs; and names are given to what
  // is there when nothing is added any more.
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
