// Writes the property `onnxport.weights` of a model.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_RECIPES_WRITE_RECIPES_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_RECIPES_WRITE_RECIPES_H_

#include <string>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

inline constexpr const char* kRecipesProperty = "onnxport.weights";

// Returns JSON that says how the weights of the model are made; empty if each is the program's weight of that name.
// `calls` is the program. Empty parts are left out:
//   made  stored weights and what they are made of: a name of the program, or a maker (weights/makers.h) of others:
//         {"fc.weight.T": {"transpose": [1, 0], "of": ["fc.weight"]}}. {"unstated": null, "of": [...]}: in a way that
//         no recipe states. With "part": of several that the maker makes; {"with": "conv.weight", "part": 1}: by the
//         recipe of that stored weight. null: a constant that only has a weight's name.
//   of    the types of the program's weights that are named there: {"fc.weight": ["float32", [4, 3]]}
//   tied  further names of one weight, and the name that stands for all: {"head.weight": "embedding.weight"}
//   read  used weights whose elements were looked at, which are part of the model, with their hashes:
//         {"sizes": "0123..."}
std::string WriteRecipes(const ir::Graph& model, const ir::Graph& calls);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_RECIPES_WRITE_RECIPES_H_
