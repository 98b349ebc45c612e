#include "runtime/onnx/sizes.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "runtime/onnx/axis.h"
#include "runtime/onnx/size_rules.h"

namespace onnxport::onnx_ops {
namespace {

using ir::Dim;
using ir::Dims;

Dim Product(const Dims& dims, size_t begin, size_t end) {
  Dim product(1);
  for (size_t i = begin; i < end; ++i) product = product * dims[i];
  return product;
}

// Returns true if the size may be 0 although no axis with a name is empty.
bool MayBeNone(const Dim& size) {
  ir::Ranges ranges;
  for (const std::string& symbol : size.symbols()) ranges[symbol].min = 1;
  return size.Bounds(ranges).min.value_or(0) < 1;
}

// Sizes that broadcast are equal or 1, and the result usually has the larger one: [n] + [min(n, 64)] has n elements.
// But the smaller one may be 0: [n] + [min(n, m - 1)] is empty for n = m = 1.
Dim LargerOf(const Dim& a, const Dim& b) {
  if (!a.is_symbolic() || !b.is_symbolic()) return {};
  const Dim larger = Dim::Max(a, b);
  if (larger == a) return MayBeNone(b) ? Dim() : larger;
  return larger == b && !MayBeNone(a) ? larger : Dim();
}

void BroadcastAll(const std::vector<const Dims*>& shapes, InferredTypes* types) {
  size_t rank = 0;
  for (const Dims* dims : shapes) rank = std::max(rank, dims->size());
  Dims* out = sizes::Result(types, rank);
  for (size_t i = 0; out && i < rank; ++i) {
    // Computes the size after broadcasting: 1 gives way to any size, and equal sizes stay. If two other sizes meet, the
    // larger one counts, provided it is known which that is.
    Dim size(1);
    for (const Dims* dims : shapes) {
      if (rank - i > dims->size()) continue;
      const Dim& dim = (*dims)[dims->size() - (rank - i)];
      if (dim == Dim(1) || dim == size) continue;
      size = size == Dim(1) ? dim : LargerOf(size, dim);
    }
    sizes::Set(out, i, size);
  }
}

// The inference of Slice in opset 10 wrongly keeps the input's symbols on the axes that it cuts.
void ForgetSymbols(InferredTypes* types) {
  for (InferredType& type : *types) {
    if (!type.dims) continue;
    for (Dim& dim : *type.dims) {
      if (dim.is_symbolic()) dim = Dim();
    }
  }
}

// Returns a / b rounded up, if b is a number above 0 or divides a.
Dim CeilQuotient(const Dim& a, const Dim& b, const NodeView& node) {
  if (b.is_number()) return Dim::FloorDiv(a + b - Dim(1), b);
  const Dim quotient = Dim::FloorDiv(a, b);
  return node.NotNegative(b) && quotient * b == a ? quotient : Dim();
}

bool Complete(const InferredTypes& types) {
  for (const InferredType& type : types) {
    if (!type.dims || !ir::AllKnown(*type.dims)) return false;
  }
  return true;
}

}  // namespace

namespace sizes {

// ONNX's inference adds and multiplies only numbers: it leaves a size open if a name takes part. These rules compute it
// as an expression; they never replace a size that inference found.
void Concat(const NodeView& node, InferredTypes* types) {
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

void Reshape(const NodeView& node, InferredTypes* types) {
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
  // A division by zero also fails at run time. [n, 6] to [n, -1, 3]: -1 is 6*n / (3*n) = 2.
  if (!others.is_unknown() && !zero) (*out)[*rest] = Dim::FloorDiv(Product(*in, 0, in->size()), others);
}

void Expand(const NodeView& node, InferredTypes* types) {
  const Dims* wanted = node.Elements(1);
  const Dims* in = node.Shape(0);
  if (wanted && in) BroadcastAll({in, wanted}, types);
}

// Comparisons that are functions in opset 12 have no inference. In other opsets it leaves two symbols open.
void Broadcast(const NodeView& node, InferredTypes* types) {
  std::vector<const Dims*> shapes;
  for (size_t i = 0; i < node.node.inputs.size(); ++i) {
    if (!node.Shape(i)) return;
    shapes.push_back(node.Shape(i));
  }
  BroadcastAll(shapes, types);
}

// Compress has no inference in opset 9 either.
void Compress(const NodeView& node, InferredTypes* types) {
  const Dims* in = node.Shape(0);
  if (!node.Attribute("axis")) {
    Result(types, 1);
  } else if (in) {
    Result(types, in->size());
  }
}

void Flatten(const NodeView& node, InferredTypes* types) {
  const Dims* in = node.Shape(0);
  Dims* out = in ? Result(types, 2) : nullptr;
  if (!out) return;
  const auto axis = static_cast<size_t>(FromFront(node.Int("axis", 1), in->size()));
  if (axis > in->size()) return;
  Set(out, 0, Product(*in, 0, axis));
  Set(out, 1, Product(*in, axis, in->size()));
}

void ConstantOfShape(const NodeView& node, InferredTypes* types) {
  const Dims* wanted = node.Elements(0);
  Dims* out = wanted ? Result(types, wanted->size()) : nullptr;
  for (size_t i = 0; out && i < out->size(); ++i) Set(out, i, (*wanted)[i]);
}

// ceil((limit - start) / delta)
void Range(const NodeView& node, InferredTypes* types) {
  const Dims* start = node.Elements(0);
  const Dims* limit = node.Elements(1);
  const Dims* delta = node.Elements(2);
  Dims* out = Result(types, 1);
  if (!start || !limit || !delta || !out) return;
  const Dim& step = (*delta)[0];
  const bool falls = step.is_number() && step.number() < 0;
  const Dim length = falls ? (*start)[0] - (*limit)[0] : (*limit)[0] - (*start)[0];
  // A step of 0 fails at run time.
  if (step != Dim(0) && node.NotNegative(length)) Set(out, 0, CeilQuotient(length, falls ? Dim(0) - step : step, node));
}

// Operators that a function body defines have no inference of their own.
void Same(const NodeView& node, InferredTypes* types) {
  const Dims* in = node.Shape(0);
  if (in && !types->front().dims) types->front().dims = *in;
}

}  // namespace sizes

void RepairSizes(const OpFacts& facts, const NodeView& node, InferredTypes* types) {
  // This comes before the rules, as they fill only unknown sizes.
  if (facts.states_wrong_symbols) ForgetSymbols(types);
  if (facts.sizes != nullptr && !types->empty() && !Complete(*types)) facts.sizes(node, types);
}

}  // namespace onnxport::onnx_ops
