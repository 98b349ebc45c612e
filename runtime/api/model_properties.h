// The properties of a model as a whole.
#ifndef ONNXPORT_RUNTIME_API_MODEL_PROPERTIES_H_
#define ONNXPORT_RUNTIME_API_MODEL_PROPERTIES_H_

#include <string>
#include <utility>
#include <vector>

#include "onnxport/model.h"
#include "runtime/archive/archive.h"
#include "runtime/ir/graph.h"

namespace onnxport {

// Identifies the archive: a hash of its directory, in which the contents of each record have a CRC32. It is the same
// wherever the file lies and whatever its name is, and needs no look at the weights.
std::string IdentityOf(const archive::Archive& archive);

// The named free axes of the inputs, each once.
std::vector<Model::FreeAxis> AxesOf(const ir::Graph& model);

// metadata_props of the model:
//   onnxport.source  what IdentityOf gave, if anything
//   onnxport.axes    the free axes of the inputs: {"batch": {"input": "x", "axis": 0, "min": 1, "max": 64}}
//   onnxport.state.N the output that is the new value of the input N
//   onnxport.numbers the weights that `calls`, the program, read as numbers (`w.item()`), which are part of the model:
//                    ["scale"]
//   onnxport.weights what weights are made of, where it is not the one of that name (passes/recipes/write_recipes.h)
std::vector<std::pair<std::string, std::string>> ModelProperties(const ir::Graph& model, const ir::Graph& calls,
                                                                 const std::vector<Model::State>& state,
                                                                 const std::string& identity);

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_API_MODEL_PROPERTIES_H_
