// What aliases what.
#ifndef ONNXPORT_RUNTIME_FUNCTIONALIZE_VIEWS_H_
#define ONNXPORT_RUNTIME_FUNCTIONALIZE_VIEWS_H_

#include <cstddef>
#include <optional>

#include "runtime/ir/aten_schema.h"
#include "runtime/ir/graph.h"

namespace onnxport::functionalize {

enum class Aliasing {
  kNone,
  kView,   // every result shares memory with the argument
  kMaybe,  // that depends on strides that are not known
};

// The position of the argument that a result may share memory with: from the alias marks of the schema, and for
// operators that return their argument without a mark (dropout at inference) from their rule.
std::optional<size_t> AliasArgument(const ir::AtenSchema& schema);

// Whether the results of `node` share memory with `base`, which is that argument. `row_major`: it is known to be,
// whatever its strides say.
Aliasing FindAlias(const ir::Graph& graph, const ir::Node& node, const ir::AtenSchema& schema, const ir::Value& base,
                   bool row_major);

// Result i may be argument i of its list, expanded or as it is (`broadcast_tensors`, `meshgrid`).
bool MayReturnListElements(const ir::AtenSchema& schema);

}  // namespace onnxport::functionalize

#endif  // ONNXPORT_RUNTIME_FUNCTIONALIZE_VIEWS_H_
