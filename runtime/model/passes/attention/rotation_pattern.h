// Finds the nodes that rotate pairs of features by angles, as a decoder does with queries and keys.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_ROTATION_PATTERN_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_ROTATION_PATTERN_H_

#include <optional>
#include <string_view>

#include "runtime/ir/graph.h"
#include "runtime/model/passes/graph/rewrite.h"

namespace onnxport::passes {

// Feature i of the first half of x's last axis makes a pair with feature i of the second; if `interleaved`, feature 2 i
// with 2 i + 1.
struct Rotation {
  ir::ValueId x;  // [batch, heads, places, 2 h]
  ir::ValueId cos;
  ir::ValueId sin;
  // The last axis of `cos` and `sin` has each angle twice, where the features of its pair are, and else once.
  bool doubled = false;
  bool interleaved = false;
};

// Matches the two spellings of a rotation of x = [a, b], where the brackets put halves behind each other or in turns.
// The operands of sums and products may have either order:
//
//     [a * cos - b * sin, b * cos + a * sin]
//     x * [cos, cos] + [-b, a] * [sin, sin]
//
// Returns nothing where `root` is neither, or where the two angles of a pair are not known to be equal in the second
// one.
std::optional<Rotation> FindRotation(const ir::Graph& graph, const Producers& producers, const ir::Node& root);

// Why a sum or pair that resembles one of the two is no rotation: "it turns pairs the other way". Empty where it is
// one, and of all other nodes.
std::string_view WhyNoRotation(const ir::Graph& graph, const Producers& producers, const ir::Node& root);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_ROTATION_PATTERN_H_
