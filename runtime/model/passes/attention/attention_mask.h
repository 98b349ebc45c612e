// The mask of an attention that a program spells out, as ONNX's Attention takes it.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_ATTENTION_MASK_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_ATTENTION_MASK_H_

#include <string_view>

#include "runtime/ir/graph.h"
#include "runtime/model/passes/attention/spelled_attention.h"
#include "runtime/model/passes/graph/node_maker.h"
#include "runtime/model/passes/graph/rewrite.h"

namespace onnxport::passes {

// What is hidden by this has no weight where something else is seen.
inline constexpr double kHidingScore = -1e9;

// How a mask is told to the operator.
struct MaskPlan {
  std::string_view why_not = {};  // the operator cannot say the same; empty: it can
  bool is_causal = false;         // by the attribute; there is no input then
  bool may_hide_row = false;      // a row that it hides altogether is NaN in the program, and 0 by the operator
  bool may_have_lowest = false;   // rows of the lowest float32, which ONNX Runtime does not take for what they are
};

// `scores` [batch, heads, queries, keys] or [batch * heads, queries, keys].
MaskPlan PlanMask(const ir::Graph& graph, const Producers& producers, const AttentionMask& mask,
                  const ir::Dims& scores);

// Of a mask that fits and is an input: bool (true: is seen) or float32 (added), with all queries and keys, as runtimes
// want it.
ir::ValueId MakeMask(const ir::Graph& graph, const AttentionMask& mask, const MaskPlan& plan, const ir::Dims& scores,
                     ir::ValueId q, NodeMaker* make);

// Of such a mask: bool [.., queries, 1], whether a row sees anything.
ir::ValueId MakeSeesAny(const ir::Graph& graph, ir::ValueId mask, NodeMaker* make);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_ATTENTION_MASK_H_
