// Attention that a program spells out: softmax(q k^T scale + mask) v, of [batch, heads, places, features], or of three
// axes [batch * heads, places, features], as torch.bmm takes them.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_SPELLED_ATTENTION_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_SPELLED_ATTENTION_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "runtime/ir/graph.h"
#include "runtime/model/passes/graph/rewrite.h"
#include "runtime/onnx/permutation.h"

namespace onnxport::passes {

// Keys or values, of four axes or three: axis i is axis perm[i] of `from`. If `repeats`, that has a further axis of
// size 1 behind that of its heads, along which the program repeats them for the heads of the queries.
struct AttentionHeads {
  ir::ValueId from = ir::ValueId::kNone;
  onnx_ops::Perm perm;
  bool repeats = false;
  ir::Dims dims;  // after `perm`, without the further axis
};

struct AttentionMask {
  enum class Kind : uint8_t {
    kNone,
    kAdded,  // a float32 that is added to the scores
    kShows,  // a bool; where it is false, the score is `fill`
    kHides,  // a bool; where it is true
  };
  Kind kind = Kind::kNone;
  ir::ValueId value = ir::ValueId::kNone;
  double fill = 0;
};

struct SpelledAttention {
  ir::ValueId q = ir::ValueId::kNone;  // [batch, heads, queries, features] or [batch * heads, queries, features]
  AttentionHeads k;
  AttentionHeads v;
  double scale = 1;
  double softcap = 0;  // above 0: softcap * tanh(scores / softcap), in front of the mask
  AttentionMask mask;
  ir::ValueId weights = ir::ValueId::kNone;  // [.., queries, keys], of the softmax, where they are used otherwise, too
  ir::Dims scores;                           // [.., queries, keys], of three axes or four, where the mask meets them
  ir::Dim batch;
  ir::Dim heads;  // a number where three axes have to become four
};

// The attention that ends in `root`, a MatMul. Returns nothing where a step is another, is used by something else as
// well (but for the weights), or has another shape. Nothing may broadcast but the mask, and heads of keys that several
// queries share.
std::optional<SpelledAttention> FindAttention(const ir::Graph& graph, const Producers& producers, const UseCounts& uses,
                                              const ir::Node& root);

// Why a MatMul of what a Softmax gives is no such attention: "the softmax is not over the last axis". Empty where it is
// one, and of all other nodes.
std::string_view WhyNoAttention(const ir::Graph& graph, const Producers& producers, const UseCounts& uses,
                                const ir::Node& root);

// The heads of keys or values [batch, heads, places, features] of an attention that is an operator already; without a
// source where they have other axes.
AttentionHeads FindHeads(const ir::Graph& graph, const Producers& producers, const UseCounts& uses, ir::ValueId id);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_SPELLED_ATTENTION_H_
