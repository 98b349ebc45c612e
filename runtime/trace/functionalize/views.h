// Finds which values share memory.
#ifndef ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_VIEWS_H_
#define ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_VIEWS_H_

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "runtime/aten/aten_schema.h"
#include "runtime/ir/graph.h"

namespace onnxport::functionalize {

enum class Aliasing {
  kNone,
  kView,   // every result shares memory with the argument
  kMaybe,  // that depends on strides that are not known
};

// The position of the argument that a result may share memory with. It comes from the alias marks of the schema.
// Without a mark it is the first tensor where the spec states an `alias` other than `maybe`: dropout at inference
// returns its argument.
std::optional<size_t> AliasArgument(const ir::AtenSchema& schema);

// Decides if the results of `node` share memory with `base`, which is that argument. `row_major`: it is known to be,
// whatever its strides say.
Aliasing FindAlias(const ir::Graph& graph, const ir::Node& node, const ir::AtenSchema& schema, const ir::Value& base,
                   bool row_major);

// PyTorch cannot make the view of `base` that `node` asks for: its strides, which are known, allow none of these sizes,
// and the operator never copies.
bool IsNoView(const ir::Graph& graph, const ir::Node& node, const ir::AtenSchema& schema, const ir::Value& base);

// The view has all elements of its base in the base's order (`view`, `alias`, `detach` ...).
bool KeepsOrder(const ir::Operator& op);

// Returns true if the view `op` holds elements as they lie in the memory of its base, not their conjugates, say, in
// whatever order. With `from_start` its first one is that of the base.
bool TakesAsItLies(const ir::Operator& op, bool from_start);

// Returns true if a write to the view `op` goes where the same view of the places of its base says.
bool IsWrittenByPlaces(const ir::Operator& op);

// The strides that as_strided is given, as far as they are known.
std::optional<ir::Dims> StatedStrides(const ir::Graph& graph, const ir::Node& node);

// Returns true if elements of the view that `node` makes of `parent` may be one in memory where those of the parent are
// not.
bool MayRepeat(const ir::Graph& graph, const ir::Node& node, const ir::Value& parent);

// The argument of as_strided and its like, which count in memory, for where they begin.
std::optional<size_t> StorageOffset(const ir::AtenSchema& schema);

// Returns true if the result of `node`, which shares memory with `base`, may be that tensor object itself:
// `x.to(x.dtype)`.
bool MayBeArgument(const ir::Graph& graph, const ir::Node& node, const ir::Value& base);

// Returns true if results may share memory with an argument where nothing says which and how. Lists of an operator that
// takes lists may have elements of those (`broadcast_tensors`, `meshgrid`). And the spec may state `maybe` for a call
// with one tensor (`einsum` that permutes it).
bool MayShareMemory(const ir::AtenSchema& schema, const ir::Graph& graph, const std::vector<ir::Arg>& inputs);

}  // namespace onnxport::functionalize

#endif  // ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_VIEWS_H_
