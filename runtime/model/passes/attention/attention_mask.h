// The mask of an attention that a program spells out, as ONNX's Attention takes it.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_ATTENTION_MASK_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_ATTENTION_MASK_H_

#include <string_view>

#include "runtime/ir/graph.h"
#include "runtime/model/passes/attention/spelled_attention.h"
#include "runtime/model/passes/graph/node_maker.h"
#include "runtime/model/passes/graph/rewrite.h"

namespace onnxport::passes {

// A score hidden by this has no weight where another one is visible.
inline constexpr double kHidingScore = -1e9;

// The form in which the operator gets a mask.
struct MaskPlan {
  std::string_view why_not = {};  // the operator cannot say the same; empty: it can
  bool is_causal = false;         // by the attribute; there is no input then
  bool may_hide_row = false;      // a row that it hides altogether is NaN in the program, and 0 by the operator
  bool may_have_lowest = false;   // rows of the lowest float32, which ONNX Runtime does not take for what they are
};

// `scores` [batch, heads, queries, keys] or [batch * heads, queries, keys].
MaskPlan PlanMask(const ir::Graph& graph, const Producers& producers, const AttentionMask& mask,
                  const ir::Dims& scores);

// Makes the input for a mask that fits: bool (true: is seen) or float32 (added), with all queries and keys, as runtimes
// want it.
ir::ValueId MakeMask(const ir::Graph& graph, const AttentionMask& mask, const MaskPlan& plan, const ir::Dims& scores,
                     ir::ValueId q, NodeMaker* make);

// Makes a bool [.., queries, 1] of such a mask: true where a row sees anything.
ir::ValueId MakeSeesAny(const ir::Graph& graph, ir::ValueId mask, NodeMaker* make);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_ATTENTION_MASK_H_
