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
  kMaybe,  // it depends on unknown strides
};

// The position of the argument that a result may share memory with, from the alias marks of the schema. Without marks
// it is the first tensor, if the spec states an `alias` other than `maybe`: dropout at inference returns its argument.
std::optional<size_t> AliasArgument(const ir::AtenSchema& schema);

// Decides if the results of `node` share memory with `base`, which is that argument. `row_major`: its layout is known
// to be row-major, even if its strides are unknown.
Aliasing FindAlias(const ir::Graph& graph, const ir::Node& node, const ir::AtenSchema& schema, const ir::Value& base,
                   bool row_major);

// Returns true if PyTorch cannot make the view of `base` that `node` asks for: the known strides do not allow these
// sizes, and the operator never copies.
bool IsNoView(const ir::Graph& graph, const ir::Node& node, const ir::AtenSchema& schema, const ir::Value& base);

// Returns true if the view has all elements of its base, in the base's order (`view`, `alias`, `detach` ...).
bool KeepsOrder(const ir::Operator& op);

// Returns true if the view `op` takes elements from the base's memory unchanged, in any order. (A conjugate view
// changes them.) With `from_start` its first element must be the base's first.
bool TakesAsItLies(const ir::Operator& op, bool from_start);

// Returns true if a write to the view `op` goes to the positions that the same view of the positions of its base gives.
bool IsWrittenByPlaces(const ir::Operator& op);

// The strides given to as_strided, as far as they are known.
std::optional<ir::Dims> StatedStrides(const ir::Graph& graph, const ir::Node& node);

// Returns true if the view that `node` makes of `parent` may show one element of the parent several times.
bool MayRepeat(const ir::Graph& graph, const ir::Node& node, const ir::Value& parent);

// as_strided and similar operators take a position in memory: the argument for the first element.
std::optional<size_t> StorageOffset(const ir::AtenSchema& schema);

// Returns true if the result of `node`, which shares memory with `base`, may be that tensor object itself:
// `x.to(x.dtype)`.
bool MayBeArgument(const ir::Graph& graph, const ir::Node& node, const ir::Value& base);

// Returns true if results may share memory with an argument, but nothing says which argument or how. Lists of an
// operator that takes lists may have elements of those (`broadcast_tensors`, `meshgrid`). The spec may state `maybe`
// for a call with one tensor (`einsum` that permutes it).
bool MayShareMemory(const ir::AtenSchema& schema, const ir::Graph& graph, const std::vector<ir::Arg>& inputs);

}  // namespace onnxport::functionalize

#endif  // ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_VIEWS_H_
