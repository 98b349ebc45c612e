#include "runtime/lowering/types/size_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/lowering/types/broadcasting.h"
#include "runtime/lowering/types/declared_types.h"
#include "runtime/lowering/types/node_view.h"
#include "runtime/lowering/types/refusal.h"
#include "runtime/lowering/types/size_refusals.h"

namespace onnxport::lowering {
namespace {

using ir::Dim;
using ir::Dims;

// A bound of it may hold for many sizes: min(n, 10) is 10 for all from 10 on.
bool HasBound(const Dim& dim) {
  const std::string text = dim.ToString();
  return text.find("Min(") != std::string::npos || text.find("Max(") != std::string::npos;
}

// One function for each kind of node; a size that is not known, or two names that may be equal, pass: the run compares
// them, as PyTorch would.
struct Checker {
  const NodeView view;
  const ir::Graph& graph = view.graph;

  std::string Shapes() const {
    std::string text;
    for (size_t i = 0; i < view.node.inputs.size(); ++i) {
      const Dims* dims = view.Shape(i);
      if (dims) text += (text.empty() ? "" : " meets ") + Text(*dims);
    }
    return text;
  }

  // Both must be the same size.
  void Equal(const Dim& a, const Dim& b) const {
    // Also where a stated size says otherwise: the model would fail, or worse, compute something else.
    if (a.is_number() && b.is_number() && a.number() != b.number())
      throw Refusal(fmt::format("the sizes {} and {} do not fit: {}", a.number(), b.number(), Shapes()));
    const Dim& free = a.is_symbolic() ? a : b;
    const Dim& other = a.is_symbolic() ? b : a;
    if (free.is_symbolic() && other.is_number() && !HasBound(free)) RefuseFixed(graph, free, other.number(), Shapes());
  }
  void Equal(const Dims* a, size_t i, const Dims* b, size_t j) const {
    if (a && b && i < a->size() && j < b->size()) Equal((*a)[i], (*b)[j]);
  }

  // Numpy's broadcasting, of the dimensions but the last `skip`.
  void Broadcast(const std::vector<const Dims*>& shapes, size_t skip = 0) const {
    size_t rank = 0;
    for (const Dims* dims : shapes) rank = std::max(rank, dims ? dims->size() : 0);
    for (size_t from_end = skip + 1; from_end <= rank; ++from_end) {
      // Only a number other than 1 fixes what it meets; a 1 is spread over any size.
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

  std::vector<const Dims*> AllShapes() const {
    std::vector<const Dims*> shapes;
    for (size_t i = 0; i < view.node.inputs.size(); ++i) shapes.push_back(view.Shape(i));
    return shapes;
  }

  void BroadcastAll() const { Broadcast(AllShapes()); }

  void Expand() const { Broadcast({view.Shape(0), view.Elements(1)}); }

  void MatMul() const {
    const Dims* a = view.Shape(0);
    const Dims* b = view.Shape(1);
    if (!a || !b || a->empty() || b->empty()) return;
    Equal(a->back(), (*b)[b->size() == 1 ? 0 : b->size() - 2]);
    Broadcast({a, b}, 2);
  }

  void Gemm() const {
    const Dims* a = view.Shape(0);
    const Dims* b = view.Shape(1);
    const bool a_turned = view.Int("transA", 0) != 0;
    const bool b_turned = view.Int("transB", 0) != 0;
    Equal(a, a_turned ? 0 : 1, b, b_turned ? 1 : 0);
    if (!a || !b || a->size() != 2 || b->size() != 2) return;
    const Dims result{(*a)[a_turned ? 1 : 0], (*b)[b_turned ? 0 : 1]};
    Broadcast({&result, view.Shape(2)});
  }

  void Concat() const {
    const Dims* first = view.Shape(0);
    if (!first) return;
    int64_t axis = view.Int("axis", 0);
    if (axis < 0) axis += static_cast<int64_t>(first->size());
    for (size_t d = 0; d < first->size(); ++d) {
      if (static_cast<int64_t>(d) == axis) continue;
      std::optional<Dim> number;
      for (const Dims* dims : AllShapes()) {
        if (dims && d < dims->size() && (*dims)[d].is_number()) number = (*dims)[d];
      }
      for (const Dims* dims : AllShapes()) {
        if (number && dims && d < dims->size()) Equal((*dims)[d], *number);
      }
    }
  }

  static Dim Product(const Dims& dims) {
    Dim product(1);
    for (const Dim& dim : dims) product = product * dim;
    return product;
  }

  void Reshape() const {
    const Dims* in = view.Shape(0);
    const Dims* wanted = view.Elements(1);
    if (!in || !wanted) return;
    Dims out = *wanted;
    for (size_t i = 0; i < out.size(); ++i) {
      if (out[i] == Dim(-1)) return;
      if (out[i] == Dim(0) && view.Int("allowzero", 0) == 0) out[i] = i < in->size() ? (*in)[i] : Dim();
    }
    const Dim before = Product(*in);
    const Dim after = Product(out);
    const std::string how = fmt::format("{} becomes {}", Text(*in), Text(out));
    if (before.is_number() && after.is_number() && before != after)
      throw Refusal(fmt::format("{} elements do not fit {}: {}", before.number(), after.number(), how));
    if (before.is_symbolic() && after.is_number() && !HasBound(before)) RefuseFixed(graph, before, after.number(), how);
    if (after.is_symbolic() && before.is_number() && !HasBound(after)) RefuseFixed(graph, after, before.number(), how);
    if (before.is_symbolic() && after.is_symbolic()) OneSided(before, after, how);
  }

  // An axis on one side only, all others being on both, must make up for the difference.
  void OneSided(const Dim& before, const Dim& after, const std::string& how) const {
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

  void Conv() const {
    const Dims* w = view.Shape(1);
    if (!w || w->size() < 2) return;
    const Dims channels{(*w)[1] * Dim(view.Int("group", 1))};
    Equal(view.Shape(0), 1, &channels, 0);
  }
  void ConvTranspose() const { Equal(view.Shape(0), 1, view.Shape(1), 0); }
  void Channels() const { Equal(view.Shape(0), 1, view.Shape(1), 0); }

  void Recurrent() const {
    const Dims* x = view.Shape(0);
    const Dims* r = view.Shape(2);  // [directions, gates * hidden, hidden]
    Equal(x, 2, view.Shape(1), 2);
    Equal(x, 1, view.Shape(4), 0);
    for (const size_t state : {5, 6}) {
      if (state == 6 && view.node.op != "LSTM") continue;
      Equal(r, 0, view.Shape(state), 0);
      Equal(x, 1, view.Shape(state), 1);
      Equal(r, 2, view.Shape(state), 2);
    }
  }

  void SameShape(size_t i, size_t j) const {
    const Dims* a = view.Shape(i);
    const Dims* b = view.Shape(j);
    for (size_t d = 0; a && b && d < std::min(a->size(), b->size()); ++d) Equal(a, d, b, d);
  }
  void Scatter() const { SameShape(1, 2); }
  void MaxUnpool() const { SameShape(0, 1); }

  void ScatterNd() const {
    const Dims* data = view.Shape(0);
    const Dims* indices = view.Shape(1);
    const Dims* updates = view.Shape(2);
    if (!data || !indices || !updates || indices->empty() || !indices->back().is_number()) return;
    const size_t outer = indices->size() - 1;
    const auto tuple = static_cast<size_t>(indices->back().number());
    for (size_t d = 0; d < outer; ++d) Equal(indices, d, updates, d);
    for (size_t d = tuple; d < data->size(); ++d) Equal(data, d, updates, outer + d - tuple);
  }

  void Split() const {
    const Dims* in = view.Shape(0);
    const auto sizes = view.List("split", 1);
    if (!in || !sizes) return;
    int64_t axis = view.Int("axis", 0);
    if (axis < 0) axis += static_cast<int64_t>(in->size());
    Dim total(0);
    for (const Dim& size : *sizes) total = total + size;
    const Dims all{total};
    Equal(in, static_cast<size_t>(axis), &all, 0);
  }

  void Squeeze() const {
    const Dims* in = view.Shape(0);
    const auto axes = view.List("axes", 1);
    for (size_t i = 0; in && axes && i < axes->size(); ++i) {
      if (!(*axes)[i].is_number()) continue;
      int64_t axis = (*axes)[i].number();
      if (axis < 0) axis += static_cast<int64_t>(in->size());
      if (axis >= 0 && axis < static_cast<int64_t>(in->size())) Equal((*in)[static_cast<size_t>(axis)], Dim(1));
    }
  }

  // One letter, one size; terms with dots are left to the run.
  void Einsum() const {
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
      const auto number =
          std::ranges::find_if(dims, [](const Dim& dim) { return dim.is_number() && dim.number() != 1; });
      for (const Dim& dim : dims) {
        if (number != dims.end()) Equal(dim, *number);
      }
    }
  }

  void GridSample() const { Equal(view.Shape(0), 0, view.Shape(1), 0); }
  void RoiAlign() const { Equal(view.Shape(1), 0, view.Shape(2), 0); }
  void Boxes() const {
    Equal(view.Shape(0), 0, view.Shape(1), 0);
    Equal(view.Shape(0), 1, view.Shape(1), 2);
  }
  void Loss() const {
    const Dims* x = view.Shape(0);
    Equal(x, 0, view.Shape(1), 0);
    for (size_t d = 2; x && d < x->size(); ++d) Equal(x, d, view.Shape(1), d - 1);
  }
  void Quantize() const {
    const Dims* x = view.Shape(0);
    const Dims* scale = view.Shape(1);
    if (!x || !scale || scale->size() != 1) return;
    int64_t axis = view.Int("axis", 1);
    if (axis < 0) axis += static_cast<int64_t>(x->size());
    Equal(x, static_cast<size_t>(axis), scale, 0);
  }
  void ReverseSequence() const {
    Equal(view.Shape(0), static_cast<size_t>(view.Int("batch_axis", 1)), view.Shape(1), 0);
  }
};

using Rule = void (Checker::*)() const;

const std::unordered_map<std::string_view, Rule>& Rules() {
  static const auto& rules = []() -> const auto& {
    auto& table = *new std::unordered_map<std::string_view, Rule>{
        {"BatchNormalization", &Checker::Channels},
        {"Concat", &Checker::Concat},
        {"Conv", &Checker::Conv},
        {"ConvTranspose", &Checker::ConvTranspose},
        {"DequantizeLinear", &Checker::Quantize},
        {"Einsum", &Checker::Einsum},
        {"Expand", &Checker::Expand},
        {"GRU", &Checker::Recurrent},
        {"Gemm", &Checker::Gemm},
        {"GridSample", &Checker::GridSample},
        {"InstanceNormalization", &Checker::Channels},
        {"LSTM", &Checker::Recurrent},
        {"MatMul", &Checker::MatMul},
        {"MaxUnpool", &Checker::MaxUnpool},
        {"NegativeLogLikelihoodLoss", &Checker::Loss},
        {"NonMaxSuppression", &Checker::Boxes},
        {"QuantizeLinear", &Checker::Quantize},
        {"RNN", &Checker::Recurrent},
        {"Reshape", &Checker::Reshape},
        {"ReverseSequence", &Checker::ReverseSequence},
        {"RoiAlign", &Checker::RoiAlign},
        {"Scatter", &Checker::Scatter},
        {"ScatterElements", &Checker::Scatter},
        {"ScatterND", &Checker::ScatterNd},
        {"SoftmaxCrossEntropyLoss", &Checker::Loss},
        {"Split", &Checker::Split},
        {"Squeeze", &Checker::Squeeze},
    };
    for (const std::string_view op : kBroadcasting) table.emplace(op, &Checker::BroadcastAll);
    return table;
  }();
  return rules;
}

}  // namespace

void CheckSizes(const OpInfo& op, const ir::Graph& graph, const ir::Node& node) {
  if (op.declared) return CheckDeclaredSizes(*op.declared, graph, node);
  const auto rule = Rules().find(node.op);
  if (rule == Rules().end()) return;
  const Checker checker{{graph, node}};
  (checker.*rule->second)();
}

}  // namespace onnxport::lowering
