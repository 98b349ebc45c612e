#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/refusal.h"
#include "runtime/onnx/einsum_equation.h"
#include "runtime/onnx/fit_rules.h"
#include "runtime/onnx/size_refusals.h"

namespace onnxport::onnx_ops::fit {
namespace {

using ir::Dim;
using ir::Dims;

Dim Elements(const Dims& dims) {
  Dim product(1);
  for (const Dim& dim : dims) product = product * dim;
  return product;
}

// If only one axis is on one side and all others are on both, it would have to balance the two sides. [batch, 12] to
// [seq, 12] passes, as batch and seq may be equal; [batch, 12] to [batch, seq] would fix seq at 12.
void CheckOneSided(const ir::Graph& graph, const Dim& before, const Dim& after, const std::string& how) {
  const std::vector<std::string> a = before.symbols();
  const std::vector<std::string> b = after.symbols();
  std::vector<std::string> only_a;
  std::vector<std::string> only_b;
  std::ranges::set_difference(a, b, std::back_inserter(only_a));
  std::ranges::set_difference(b, a, std::back_inserter(only_b));
  if (only_a.empty() == only_b.empty() || HasBound(before) || HasBound(after)) return;
  const std::string& lost = only_a.empty() ? only_b[0] : only_a[0];
  RefuseFixed(graph, lost, how);
}

}  // namespace

void Gemm(const NodeView& view) {
  const Checker check(view);
  const Dims* a = view.Shape(0);
  const Dims* b = view.Shape(1);
  const bool a_turned = view.Int("transA", 0) != 0;
  const bool b_turned = view.Int("transB", 0) != 0;
  check.Equal(a, a_turned ? 0 : 1, b, b_turned ? 1 : 0);
  if (!a || !b || a->size() != 2 || b->size() != 2) return;
  const Dims result{(*a)[a_turned ? 1 : 0], (*b)[b_turned ? 0 : 1]};
  check.Broadcast({&result, view.Shape(2)});
}

void MatMul(const NodeView& view) {
  const Checker check(view);
  const Dims* a = view.Shape(0);
  const Dims* b = view.Shape(1);
  if (!a || !b || a->empty() || b->empty()) return;
  check.Equal(a->back(), (*b)[b->size() == 1 ? 0 : b->size() - 2]);
  check.Broadcast({a, b}, 2);
}

void Concat(const NodeView& view) {
  const Checker check(view);
  const Dims* first = view.Shape(0);
  if (!first) return;
  int64_t axis = view.Int("axis", 0);
  if (axis < 0) axis += static_cast<int64_t>(first->size());
  for (size_t d = 0; d < first->size(); ++d) {
    if (static_cast<int64_t>(d) == axis) continue;
    // Two names may be equal; only a number can be wrong for another size.
    std::optional<Dim> number;
    for (const Dims* dims : check.Shapes()) {
      if (dims && d < dims->size() && (*dims)[d].is_number()) number = (*dims)[d];
    }
    for (const Dims* dims : check.Shapes()) {
      if (number && dims && d < dims->size()) check.Equal((*dims)[d], *number);
    }
  }
}

void Expand(const NodeView& view) { Checker(view).Broadcast({view.Shape(0), view.Elements(1)}); }

void Reshape(const NodeView& view) {
  const Dims* in = view.Shape(0);
  const Dims* wanted = view.Elements(1);
  if (!in || !wanted) return;
  Dims out = *wanted;
  for (size_t i = 0; i < out.size(); ++i) {
    if (out[i] == Dim(-1)) return;
    if (out[i] == Dim(0) && view.Int("allowzero", 0) == 0) out[i] = i < in->size() ? (*in)[i] : Dim();
  }
  const Dim before = Elements(*in);
  const Dim after = Elements(out);
  const std::string how = fmt::format("{} becomes {}", Text(*in), Text(out));
  if (before.is_number() && after.is_number() && before != after)
    throw Refusal(Code::kSizesDoNotFit,
                  fmt::format("{} elements do not fit {}: {}", before.number(), after.number(), how));
  if (before.is_symbolic() && after.is_number() && !HasBound(before))
    RefuseFixed(view.graph, before, after.number(), how);
  if (after.is_symbolic() && before.is_number() && !HasBound(after))
    RefuseFixed(view.graph, after, before.number(), how);
  if (before.is_symbolic() && after.is_symbolic()) CheckOneSided(view.graph, before, after, how);
}

void Split(const NodeView& view) {
  const Dims* in = view.Shape(0);
  const auto sizes = view.List("split", 1);
  if (!in || !sizes) return;
  int64_t axis = view.Int("axis", 0);
  if (axis < 0) axis += static_cast<int64_t>(in->size());
  Dim total(0);
  for (const Dim& size : *sizes) total = total + size;
  const Dims all{total};
  Checker(view).Equal(in, static_cast<size_t>(axis), &all, 0);
}

void Squeeze(const NodeView& view) {
  const Dims* in = view.Shape(0);
  const auto axes = view.List("axes", 1);
  for (size_t i = 0; in && axes && i < axes->size(); ++i) {
    if (!(*axes)[i].is_number()) continue;
    int64_t axis = (*axes)[i].number();
    if (axis < 0) axis += static_cast<int64_t>(in->size());
    if (axis < 0 || axis >= static_cast<int64_t>(in->size())) continue;
    Checker(view).Equal((*in)[static_cast<size_t>(axis)], Dim(1));
  }
}

// ONNX's inference makes as many axes as the shape has elements.
void ExpandGrammar(const NodeView& view) {
  constexpr int64_t kMostAxes = 64;  // SECURITY.md
  const Dims* shape = view.Shape(1);
  if (shape == nullptr || shape->size() != 1 || !shape->front().is_number()) return;
  const int64_t axes = shape->front().number();
  if (axes > kMostAxes) throw Refusal(Code::kBreaksOnnx, fmt::format("ONNX Expand is given a shape of {} axes", axes));
}

void EinsumGrammar(const NodeView& view) {
  const ir::Arg* arg = view.Attribute("equation");
  const std::string* equation = arg ? std::get_if<std::string>(&arg->v) : nullptr;
  const std::string mistake = equation ? EinsumMistake(*equation, view.node.inputs.size()) : "it is no text";
  if (!mistake.empty()) throw Refusal(Code::kBreaksOnnx, "the equation of ONNX Einsum is wrong: " + mistake);
}

// A letter stands for one size. Terms with dots are checked at run time.
void Einsum(const NodeView& view) {
  const ir::Arg* arg = view.Attribute("equation");
  const std::string* equation = arg ? std::get_if<std::string>(&arg->v) : nullptr;
  if (!equation || equation->find('.') != std::string::npos) return;
  std::map<char, std::vector<Dim>> sizes;
  size_t input = 0;
  size_t axis = 0;
  for (const char c : *equation) {
    if (c == '-') break;
    if (c == ',') ++input, axis = 0;
    if (c == ',' || c == ' ') continue;
    const Dims* dims = view.Shape(input);
    if (dims && axis < dims->size()) sizes[c].push_back((*dims)[axis]);
    ++axis;
  }
  for (const auto& [letter, dims] : sizes) {
    // A 1 broadcasts to any size.
    const auto number = std::ranges::find_if(dims, [](const Dim& dim) { return dim.is_number() && dim.number() != 1; });
    for (const Dim& dim : dims) {
      if (number != dims.end()) Checker(view).Equal(dim, *number);
    }
  }
}

}  // namespace onnxport::onnx_ops::fit
