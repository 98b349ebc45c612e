#include "runtime/onnx/size_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/base/refusal.h"
#include "runtime/onnx/fit_rules.h"
#include "runtime/onnx/size_refusals.h"

namespace onnxport::onnx_ops {

using ir::Dim;
using ir::Dims;

namespace fit {

bool HasBound(const Dim& dim) {
  const std::string text = dim.ToString();
  return text.find("Min(") != std::string::npos || text.find("Max(") != std::string::npos;
}

std::string Checker::ShapesText() const {
  std::string text;
  for (const Dims* dims : Shapes()) {
    if (dims) text += (text.empty() ? "" : " meets ") + Text(*dims);
  }
  return text + more_;
}

std::vector<const Dims*> Checker::Shapes() const {
  std::vector<const Dims*> shapes;
  for (size_t i = 0; i < view_.node.inputs.size(); ++i) shapes.push_back(view_.Shape(i));
  return shapes;
}

void Checker::Equal(const Dim& a, const Dim& b) const {
  // Throws even if a size is only stated otherwise: the model would fail or, worse, compute something else.
  if (a.is_number() && b.is_number() && a.number() != b.number())
    throw Refusal(Code::kSizesDoNotFit,
                  fmt::format("the sizes {} and {} do not fit: {}", a.number(), b.number(), ShapesText()));
  const Dim& free = a.is_symbolic() ? a : b;
  const Dim& other = a.is_symbolic() ? b : a;
  // An `n` that meets 10 is fixed. `Min(n, 10)` that meets 10 is not, as it is 10 for all n from 10 on.
  if (free.is_symbolic() && other.is_number() && !HasBound(free))
    RefuseFixed(view_.graph, free, other.number(), ShapesText());
}

// An absent shape or axis passes: the schema checks which inputs there must be.
void Checker::Equal(const Dims* a, size_t i, const Dims* b, size_t j) const {
  if (a && b && i < a->size() && j < b->size()) Equal((*a)[i], (*b)[j]);
}

void Checker::NotFree(const Dims* a, size_t i) const {
  if (a && i < a->size() && (*a)[i].is_symbolic()) RefuseFixed(view_.graph, (*a)[i].symbols()[0], ShapesText());
}

void Checker::Broadcast(const std::vector<const Dims*>& shapes, size_t skip) const {
  size_t rank = 0;
  for (const Dims* dims : shapes) rank = std::max(rank, dims ? dims->size() : 0);
  for (size_t from_end = skip + 1; from_end <= rank; ++from_end) {
    // Only a number other than 1 fixes a size that it meets; a 1 broadcasts to any size.
    const Dim* number = nullptr;
    for (const Dims* dims : shapes) {
      if (!dims || dims->size() < from_end) continue;
      const Dim& dim = (*dims)[dims->size() - from_end];
      if (dim.is_number() && dim.number() != 1) number = &dim;
    }
    for (const Dims* dims : shapes) {
      if (!number || !dims || dims->size() < from_end) continue;
      const Dim& dim = (*dims)[dims->size() - from_end];
      if (dim != Dim(1)) Equal(dim, *number);
    }
  }
}

void Broadcast(const NodeView& view) {
  const Checker check(view);
  check.Broadcast(check.Shapes());
}

}  // namespace fit

void CheckSizes(const OpFacts& facts, const NodeView& node) {
  if (facts.fit != nullptr) facts.fit(node);
}

}  // namespace onnxport::onnx_ops
