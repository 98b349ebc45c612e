#include "runtime/lowering/types/symbolic_shapes.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "runtime/lowering/types/broadcasting.h"
#include "runtime/lowering/types/node_view.h"
#include "runtime/lowering/types/symbolic_rules.h"

namespace onnxport::lowering {
namespace {

using ir::Dim;
using ir::Dims;

constexpr int64_t kToTheEnd = 1 << 30;  // a bound from here on means the end

Dim Product(const Dims& dims, size_t begin, size_t end) {
  Dim product(1);
  for (size_t i = begin; i < end; ++i) product = product * dims[i];
  return product;
}

bool NotNegative(const Dim& dim, const ir::Ranges& ranges) {
  if (dim.is_unknown()) return false;
  const ir::Range range = dim.Bounds(ranges);
  return range.min && *range.min >= 0;
}

// ONNX's inference adds and multiplies numbers only: wherever a name takes part, it leaves a size open. The rules here
// say the same over expressions; they never replace what inference found.
void Concat(const NodeView& node, Types* types) {
  const Dims* first = node.Shape(0);
  Dims* out = first ? Result(types, first->size()) : nullptr;
  if (!out) return;
  const int64_t axis = FromFront(node.Int("axis", 0), out->size());
  if (axis < 0 || axis >= static_cast<int64_t>(out->size())) return;
  Dim sum(0);
  for (size_t i = 0; i < node.node.inputs.size(); ++i) {
    const Dims* dims = node.Shape(i);
    if (!dims || dims->size() != out->size()) return;
    sum = sum + (*dims)[static_cast<size_t>(axis)];
  }
  Set(out, static_cast<size_t>(axis), sum);
}

void Reshape(const NodeView& node, Types* types) {
  const Dims* wanted = node.Elements(1);
  Dims* out = wanted ? Result(types, wanted->size()) : nullptr;
  if (!out) return;
  const Dims* in = node.Shape(0);
  std::optional<size_t> rest;
  for (size_t i = 0; i < wanted->size(); ++i) {
    const Dim& dim = (*wanted)[i];
    const bool copy = dim.is_number() && dim.number() == 0 && node.Int("allowzero", 0) == 0;
    if (copy && in && i < in->size()) {
      Set(out, i, (*in)[i]);
    } else if (dim.is_number() && dim.number() == -1) {
      rest = i;
    } else if (!copy) {
      Set(out, i, dim);
    }
  }
  if (!rest || !in || !(*out)[*rest].is_unknown()) return;
  Dim others(1);
  for (size_t i = 0; i < out->size(); ++i) {
    if (i != *rest) others = others * (*out)[i];
  }
  const bool zero = others.is_number() && others.number() == 0;
  // A run would divide by zero, too.
  if (!others.is_unknown() && !zero) (*out)[*rest] = Dim::FloorDiv(Product(*in, 0, in->size()), others);
}

// Sizes that broadcast are equal or 1: the result has the larger one. [n] + [min(n, 64)] has n elements wherever it
// runs.
Dim LargerOf(const Dim& a, const Dim& b) {
  if (!a.is_symbolic() || !b.is_symbolic()) return {};
  const Dim larger = Dim::Max(a, b);
  return larger == a || larger == b ? larger : Dim();
}

void BroadcastAll(const std::vector<const Dims*>& shapes, Types* types) {
  size_t rank = 0;
  for (const Dims* dims : shapes) rank = std::max(rank, dims->size());
  Dims* out = Result(types, rank);
  for (size_t i = 0; out && i < rank; ++i) {
    Dim size(1);
    for (const Dims* dims : shapes) {
      if (rank - i > dims->size()) continue;
      const Dim& dim = (*dims)[dims->size() - (rank - i)];
      if (dim == Dim(1) || dim == size) continue;
      size = size == Dim(1) ? dim : LargerOf(size, dim);
    }
    Set(out, i, size);
  }
}

void Expand(const NodeView& node, Types* types) {
  const Dims* wanted = node.Elements(1);
  const Dims* in = node.Shape(0);
  if (wanted && in) BroadcastAll({in, wanted}, types);
}

// Comparisons that are functions in opset 12 have no inference there; elsewhere it leaves two symbols open.
void Broadcast(const NodeView& node, Types* types) {
  std::vector<const Dims*> shapes;
  for (size_t i = 0; i < node.node.inputs.size(); ++i) {
    if (!node.Shape(i)) return;
    shapes.push_back(node.Shape(i));
  }
  BroadcastAll(shapes, types);
}

// Nor has Compress in opset 9.
void Compress(const NodeView& node, Types* types) {
  const Dims* in = node.Shape(0);
  if (!node.Attribute("axis")) {
    Result(types, 1);
  } else if (in) {
    Result(types, in->size());
  }
}

// Where a slice bound lies in [0, size].
Dim SliceBound(const Dim& bound, const Dim& size, const ir::Ranges& ranges) {
  if (bound == size || (bound.is_number() && bound.number() >= kToTheEnd)) return size;
  const Dim at = bound.is_number() && bound.number() < 0 ? size + bound : bound;
  if (!NotNegative(at, ranges)) return {};
  if (NotNegative(size - at, ranges)) return at;
  if (NotNegative(at - size, ranges)) return size;
  return Dim::Min(at, size);
}

void Slice(const NodeView& node, Types* types) {
  const Dims* in = node.Shape(0);
  const auto starts = node.List("starts", 1);
  const auto ends = node.List("ends", 2);
  if (!in || !starts || !ends || starts->size() != ends->size()) return;
  Dims* out = Result(types, in->size());
  if (!out) return;
  const auto axes = node.List("axes", 3);
  const auto steps = node.List("steps", 4);
  if (node.Has("axes", 3) && (!axes || axes->size() != starts->size())) return;
  if (node.Has("steps", 4) && (!steps || steps->size() != starts->size())) return;
  std::vector<bool> sliced(in->size());
  for (size_t k = 0; k < starts->size(); ++k) {
    const Dim axis_dim = axes ? (*axes)[k] : Dim(static_cast<int64_t>(k));
    if (!axis_dim.is_number()) return;
    const auto axis = static_cast<size_t>(FromFront(axis_dim.number(), in->size()));
    if (axis >= in->size()) return;
    sliced[axis] = true;
    const Dim step = steps ? (*steps)[k] : Dim(1);
    if (!step.is_number() || step.number() < 1) continue;
    const ir::Ranges& ranges = node.graph.ranges;
    const Dim length = SliceBound((*ends)[k], (*in)[axis], ranges) - SliceBound((*starts)[k], (*in)[axis], ranges);
    if (NotNegative(length, ranges)) {
      Set(out, axis, Dim::FloorDiv(length + Dim(step.number() - 1), step));
    }
  }
  for (size_t i = 0; i < in->size(); ++i) {
    if (!sliced[i]) Set(out, i, (*in)[i]);
  }
}

void Split(const NodeView& node, Types* types) {
  const Dims* in = node.Shape(0);
  if (!in) return;
  const auto axis = static_cast<size_t>(FromFront(node.Int("axis", 0), in->size()));
  if (axis >= in->size()) return;
  const auto sizes = node.List("split", 1);
  for (size_t k = 0; k < types->size(); ++k) {
    auto& dims = (*types)[k].dims;
    if (!dims) dims = *in, (*dims)[axis] = Dim();
    if (dims->size() == in->size() && sizes && k < sizes->size()) Set(&*dims, axis, (*sizes)[k]);
  }
}

void Pad(const NodeView& node, Types* types) {
  const Dims* in = node.Shape(0);
  const auto pads = node.List("pads", 1);
  if (!in || !pads || pads->size() != 2 * in->size() || node.Input(3)) return;
  Dims* out = Result(types, in->size());
  if (!out) return;
  for (size_t i = 0; i < in->size(); ++i) Set(out, i, (*in)[i] + (*pads)[i] + (*pads)[i + in->size()]);
}

void Tile(const NodeView& node, Types* types) {
  const Dims* in = node.Shape(0);
  const Dims* repeats = node.Elements(1);
  if (!in || !repeats || repeats->size() != in->size()) return;
  Dims* out = Result(types, in->size());
  if (!out) return;
  for (size_t i = 0; i < in->size(); ++i) Set(out, i, (*in)[i] * (*repeats)[i]);
}

void Flatten(const NodeView& node, Types* types) {
  const Dims* in = node.Shape(0);
  Dims* out = in ? Result(types, 2) : nullptr;
  if (!out) return;
  const auto axis = static_cast<size_t>(FromFront(node.Int("axis", 1), in->size()));
  if (axis > in->size()) return;
  Set(out, 0, Product(*in, 0, axis));
  Set(out, 1, Product(*in, axis, in->size()));
}

void ConstantOfShape(const NodeView& node, Types* types) {
  const Dims* wanted = node.Elements(0);
  Dims* out = wanted ? Result(types, wanted->size()) : nullptr;
  for (size_t i = 0; out && i < out->size(); ++i) Set(out, i, (*wanted)[i]);
}

// ceil((limit - start) / delta) for delta 1.
void Range(const NodeView& node, Types* types) {
  const Dims* start = node.Elements(0);
  const Dims* limit = node.Elements(1);
  const Dims* delta = node.Elements(2);
  Dims* out = Result(types, 1);
  if (!start || !limit || !delta || !out || !((*delta)[0] == Dim(1))) return;
  const Dim length = (*limit)[0] - (*start)[0];
  if (NotNegative(length, node.graph.ranges)) Set(out, 0, length);
}

// Schemas that are defined by a function body have no inference of their own.
void Same(const NodeView& node, Types* types) {
  const Dims* in = node.Shape(0);
  if (in && !types->front().dims) types->front().dims = *in;
}

// Nothing is inferred from a number of elements that is not known.
void TopK(const NodeView& node, Types* types) {
  const Dims* in = node.Shape(0);
  if (!in || in->empty()) return;
  const int64_t axis = FromFront(node.Int("axis", -1), in->size());
  for (InferredType& type : *types) {
    if (!type.dims) type.dims.emplace(in->size());
    if (type.dims->size() != in->size()) continue;
    for (size_t i = 0; i < in->size(); ++i) {
      if (static_cast<int64_t>(i) != axis) Set(&*type.dims, i, (*in)[i]);
    }
  }
}

// The elements of the list.
void SplitToSequence(const NodeView& node, Types* types) {
  const Dims* in = node.Shape(0);
  if (!in || in->empty()) return;
  const auto axis = static_cast<size_t>(FromFront(node.Int("axis", 0), in->size()));
  const bool has_sizes = node.node.inputs.size() > 1 && node.node.inputs[1].value() != nullptr;
  const bool drops = !has_sizes && node.Int("keepdims", 1) == 0;
  Dims* out = axis < in->size() ? Result(types, in->size() - (drops ? 1 : 0)) : nullptr;
  for (size_t i = 0, to = 0; out && i < in->size(); ++i) {
    if (i != axis) Set(out, to, (*in)[i]);
    if (i == axis && !drops && !has_sizes) Set(out, to, Dim(1));
    to += i == axis && drops ? 0 : 1;
  }
}

using Rule = void (*)(const NodeView&, Types*);

const std::unordered_map<std::string_view, Rule>& Rules() {
  static const auto& rules = []() -> const auto& {
    auto& table = *new std::unordered_map<std::string_view, Rule>{
        {"AveragePool", ConvOrPool},
        {"Compress", Compress},
        {"Concat", Concat},
        {"ConstantOfShape", ConstantOfShape},
        {"Conv", ConvOrPool},
        {"ConvTranspose", ConvTranspose},
        {"DFT", Dft},
        {"DeformConv", ConvOrPool},
        {"Expand", Expand},
        {"Flatten", Flatten},
        {"GroupNormalization", Same},
        {"LpPool", ConvOrPool},
        {"MaxPool", ConvOrPool},
        {"MeanVarianceNormalization", Same},
        {"Pad", Pad},
        {"Range", Range},
        {"Reshape", Reshape},
        {"Slice", Slice},
        {"STFT", Stft},
        {"Split", Split},
        {"SplitToSequence", SplitToSequence},
        {"Tile", Tile},
        {"TopK", TopK},
    };
    for (const std::string_view op : kBroadcasting) table.emplace(op, Broadcast);
    return table;
  }();
  return rules;
}

// The inference of Slice in opset 10 leaves the input's symbols on the axes that it cuts.
void ForgetSymbols(Types* types) {
  for (InferredType& type : *types) {
    if (!type.dims) continue;
    for (Dim& dim : *type.dims) {
      if (dim.is_symbolic()) dim = Dim();
    }
  }
}

bool Complete(const Types& types) {
  for (const InferredType& type : types) {
    if (!type.dims || std::ranges::any_of(*type.dims, &Dim::is_unknown)) return false;
  }
  return true;
}

}  // namespace

void RepairShapes(const ir::Graph& graph, const ir::Node& node, Types* types) {
  if (node.op == "Slice") ForgetSymbols(types);
  if (types->empty() || Complete(*types)) return;
  if (const auto rule = Rules().find(node.op); rule != Rules().end()) rule->second({graph, node}, types);
}

}  // namespace onnxport::lowering
