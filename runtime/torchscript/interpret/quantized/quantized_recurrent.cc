// aten::quantized_lstm and aten::quantized_gru with packed weights: layer for layer and direction for direction, each
// an entry of spec/.
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/torchscript/interpret/quantized/quantized.h"
#include "runtime/torchscript/interpret/values/leaves.h"

namespace onnxport::torchscript {
namespace {

// What one direction of one layer is made with: both packed weights with their biases, and whether inputs are
// quantized to 7 bits. Nothing when it is no cell of dynamic quantization.
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

const ValueList* ItemsOf(const Value& value) {
  const auto* cell = value.As<CellPtr>();
  return cell && (*cell)->kind == Cell::Kind::kList && !(*cell)->is_dynamic() ? &(*cell)->items : nullptr;
}

}  // namespace

std::optional<Value> Quantized::CallRecurrent(const std::string& op, const ValueList& args) {
  const bool is_lstm = op == "aten::quantized_lstm";
  if ((!is_lstm && op != "aten::quantized_gru") || args.size() < 9) return std::nullopt;
  // (input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)
  const ValueList* cells = ItemsOf(args[2]);
  const auto* layers = args[4].As<int64_t>();
  const auto* train = args[6].As<bool>();
  const auto* both_ways = args[7].As<bool>();
  const auto* batch_first = args[8].As<bool>();
  if (!args[0].As<Tensor>() || !cells || !layers || !train || !both_ways || !batch_first)
    return Refuse(op, "only of a tensor, with a known configuration");
  const size_t directions = *both_ways ? 2 : 1;
  if (*train) return Refuse(op, "is not supported while training");
  if (cells->size() != static_cast<size_t>(*layers) * directions) return Refuse(op, "needs weights for each direction");
  ValueList states{args[1]};
  if (is_lstm) {
    const ValueList* items = ItemsOf(args[1]);
    if (!items || items->size() != 2) return Refuse(op, "needs two hidden states");
    states = *items;
  }

  const auto call = [&](const std::string& name, std::vector<ir::Arg> given) { return Run(name, std::move(given)); };
  const auto transposed = [&](const Value& x) {
    return *batch_first ? call("aten::transpose.int", {LeafArg(x), {int64_t{0}}, {int64_t{1}}}) : x;
  };
  Value x = transposed(args[0]);
  std::vector<ir::ArgList> last(states.size());
  for (size_t i = 0; i < cells->size();) {
    ir::ArgList outputs;
    for (size_t direction = 0; direction < directions; ++direction, ++i) {
      const auto weights = WeightsOf((*cells)[i]);
      if (!weights) return Refuse(op, "only with biases, and weights packed for dynamic quantization");
      std::vector<ir::Arg> given{LeafArg(x)};
      for (const Value& state : states)
        given.push_back(LeafArg(call("aten::select.int", {LeafArg(state), {int64_t{0}}, {static_cast<int64_t>(i)}})));
      given.insert(given.end(), weights->begin(), weights->end());
      given.push_back({direction == 1});
      const Value made = call(is_lstm ? "qdq::lstm_layer" : "qdq::gru_layer", std::move(given));
      const auto* results = made.As<TuplePtr>();
      if (!results || (*results)->items.size() != 1 + states.size()) return made;
      outputs.push_back(LeafArg((*results)->items[0]));
      for (size_t s = 0; s < states.size(); ++s) last[s].push_back(LeafArg((*results)->items[1 + s]));
    }
    x = directions == 1 ? LeafValue(outputs[0], tracer_) : call("aten::cat", {{std::move(outputs)}, {int64_t{2}}});
  }
  auto results = MakeOwned<TupleValue>();
  results->items.push_back(transposed(x));
  for (ir::ArgList& of_state : last)
    results->items.push_back(call("aten::stack", {{std::move(of_state)}, {int64_t{0}}}));
  return Value{TuplePtr(std::move(results))};
}

}  // namespace onnxport::torchscript
