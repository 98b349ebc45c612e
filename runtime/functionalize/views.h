// What aliases what.
#ifndef ONNXPORT_RUNTIME_FUNCTIONALIZE_VIEWS_H_
#define ONNXPORT_RUNTIME_FUNCTIONALIZE_VIEWS_H_

#include <cstddef>

#include "runtime/ir/aten_schema.h"
#include "runtime/ir/graph.h"

namespace onnxport::functionalize {

enum class Aliasing {
  kNone,
  kView,   // every result shares memory with the argument
  kMaybe,  // that depends on strides that are not known
};

struct AliasOf {
  Aliasing aliasing = Aliasing::kNone;
  size_t argument = 0;  // position
};

// From the alias marks of the schema, and for operators that return their argument without a mark (dropout at
// inference) from their rule.
AliasOf FindAlias(const ir::Graph& graph, const ir::Node& node, const ir::AtenSchema& schema);

}  // namespace onnxport::functionalize

#endif  // ONNXPORT_RUNTIME_FUNCTIONALIZE_VIEWS_H_
