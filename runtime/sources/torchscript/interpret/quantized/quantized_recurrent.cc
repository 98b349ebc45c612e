// aten::quantized_lstm and aten::quantized_gru with packed weights. For each layer and direction it calls an entry of
// spec/.
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/sources/torchscript/interpret/quantized/quantized.h"
#include "runtime/sources/torchscript/interpret/values/leaves.h"

namespace onnxport::torchscript {
namespace quantized_recurrent {
namespace {

// The parameters of one direction of one layer: both packed weights with their biases, and whether inputs are quantized
// to 7 bits. Nothing when it is no cell of dynamic quantization.
std::optional<std::vector<ir::Arg>> WeightsOf(const Value& params) {
  const auto* cell = params.As<CellPtr>();
  if (!cell || (*cell)->kind != Cell::Kind::kObject) return std::nullopt;
  std::vector<ir::Arg> weights;
  for (const char* name : {"w_ih", "w_hh"}) {
    const auto found = (*cell)->attributes.find(name);
    const auto* packed = found == (*cell)->attributes.end() ? nullptr : found->second.As<CellPtr>();
    if (!packed || (*packed)->kind != Cell::Kind::kObject) return std::nullopt;
    for (const char* part : {"weight", "bias"}) {
      const auto held = (*packed)->attributes.find(part);
      if (held == (*packed)->attributes.end() || !held->second.As<Tensor>()) return std::nullopt;
      weights.push_back(LeafArg(held->second));
    }
  }
  const auto reduce = (*cell)->attributes.find("reduce_range");
  if (reduce == (*cell)->attributes.end() || !reduce->second.As<bool>()) return std::nullopt;
  weights.push_back(LeafArg(reduce->second));
  return weights;
}

// The layers of a call (input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first).
struct Layers {
  const ValueList* cells = nullptr;  // of layer 0 forwards, backwards, of layer 1 ...
  size_t directions = 1;
  bool batch_first = false;
  ValueList states;  // hx of a GRU, hx and cx of an LSTM: for all cells
};

Layers LayersOf(const CallSite& site, bool is_lstm) {
  const auto* count = site.As<int64_t>(4);
  const auto* train = site.As<bool>(6);
  const auto* both_ways = site.As<bool>(7);
  const auto* batch_first = site.As<bool>(8);
  const CellPtr* cells = KnownList(site, 2);
  Layers layers{.cells = cells ? &(*cells)->items : nullptr, .states = {site.At(1)}};
  if (!site.As<Tensor>(0) || !layers.cells || !count || !train || !both_ways || !batch_first)
    throw Refusal(onnxport::Code::kNoQuantizedForm, "only of a tensor, with a known configuration");
  layers.directions = *both_ways ? 2 : 1;
  layers.batch_first = *batch_first;
  if (*train) throw Refusal(onnxport::Code::kNoQuantizedForm, "is not supported while training");
  if (layers.cells->size() != static_cast<size_t>(*count) * layers.directions)
    throw Refusal(onnxport::Code::kNoQuantizedForm, "needs weights for each direction");
  if (is_lstm) {
    const CellPtr* states = KnownList(site, 1);
    if (!states || (*states)->items.size() != 2)
      throw Refusal(onnxport::Code::kNoQuantizedForm, "needs two hidden states");
    layers.states = (*states)->items;
  }
  return layers;
}

std::optional<Value> Recurrent(const CallSite& site) {
  if (site.size() < 9) return std::nullopt;
  const bool is_lstm = site.op == "aten::quantized_lstm";
  const Layers layers = LayersOf(site, is_lstm);
  const auto transposed = [&](const Value& x) {
    return layers.batch_first ? site.RunAll("aten::transpose.int", {LeafArg(x), {int64_t{0}}, {int64_t{1}}}) : x;
  };
  Value x = transposed(site.At(0));
  std::vector<ir::ArgList> last(layers.states.size());
  for (size_t i = 0; i < layers.cells->size();) {
    ir::ArgList outputs;
    for (size_t direction = 0; direction < layers.directions; ++direction, ++i) {
      const auto weights = WeightsOf((*layers.cells)[i]);
      if (!weights)
        throw Refusal(onnxport::Code::kNoQuantizedForm,
                      "only with biases, and weights packed for dynamic quantization");
      std::vector<ir::Arg> given{LeafArg(x)};
      for (const Value& state : layers.states) {
        given.push_back(
            LeafArg(site.RunAll("aten::select.int", {LeafArg(state), {int64_t{0}}, {static_cast<int64_t>(i)}})));
      }
      given.insert(given.end(), weights->begin(), weights->end());
      given.push_back({direction == 1});
      const Value made = site.RunAll(is_lstm ? "qdq::lstm_layer" : "qdq::gru_layer", std::move(given));
      const auto* results = made.As<TuplePtr>();
      if (!results || (*results)->items.size() != 1 + layers.states.size()) return made;
      outputs.push_back(LeafArg((*results)->items[0]));
      for (size_t s = 0; s < layers.states.size(); ++s) last[s].push_back(LeafArg((*results)->items[1 + s]));
    }
    x = layers.directions == 1 ? LeafValue(outputs[0], *site.tracer)
                               : site.RunAll("aten::cat", {{std::move(outputs)}, {int64_t{2}}});
  }
  ValueList results{transposed(x)};
  for (ir::ArgList& of_state : last)
    results.push_back(site.RunAll("aten::stack", {{std::move(of_state)}, {int64_t{0}}}));
  return TupleOf(std::move(results));
}

constexpr BuiltinRow kRows[] = {{"aten::quantized_lstm", Recurrent, true}, {"aten::quantized_gru", Recurrent, true}};

}  // namespace
}  // namespace quantized_recurrent

std::span<const BuiltinRow> QuantizedLayerBuiltins() { return quantized_recurrent::kRows; }

}  // namespace onnxport::torchscript
