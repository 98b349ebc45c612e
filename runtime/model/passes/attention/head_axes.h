// Heads as an axis of their own, [batch, heads, places, features], and joined to the features, [batch, places, heads *
// features].
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_HEAD_AXES_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_HEAD_AXES_H_

#include "runtime/ir/graph.h"
#include "runtime/model/passes/graph/node_maker.h"
#include "runtime/model/passes/graph/rewrite.h"

namespace onnxport::passes {

// Turns [batch, heads, places, features] into [batch, places, heads * features].
ir::Dims JoinHeadAxes(const ir::Dims& dims);

// A RotaryEmbedding with three inputs that gives x [batch, heads, places, features] to one node: it takes joined heads
// as well. Null for another node.
const ir::Node* RotationOf(const ir::Graph& graph, const Producers& producers, const UseCounts& uses, ir::ValueId x);

// Returns x [batch, heads, places, features], whose heads and features are numbers, with joined heads. A rotation is
// done behind that. A Transpose in front of x becomes a Transpose there and back, which the rounds of simplification
// take out.
ir::ValueId MakeJoined(const ir::Graph& graph, const Producers& producers, const UseCounts& uses, ir::ValueId x,
                       NodeMaker* make);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_HEAD_AXES_H_
