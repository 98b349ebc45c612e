#include "runtime/sources/torchscript/interpret/boundary/packed_state.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/sources/torchscript/interpret/quantized/packed.h"
#include "runtime/sources/torchscript/interpret/values/values.h"

namespace onnxport::torchscript {
namespace {

// (weight, bias)
std::optional<ValueMap> Linear(const ValueList& state) {
  if (state.size() != 2) return std::nullopt;
  return ValueMap{{"weight", state[0]}, {"bias", state[1]}};
}

// (version, [weight], [], [bits])
std::optional<ValueMap> Embedding(const ValueList& state) {
  const CellPtr* weights = state.size() == 4 ? AsList(state[1]) : nullptr;
  if (!weights || (*weights)->items.size() != 1) return std::nullopt;
  return ValueMap{{"weight", (*weights)->items[0]}};
}

// ("quantized_dynamic", [bias_ih, bias_hh], [], [reduce_range], [packed_ih, packed_hh])
std::optional<ValueMap> RecurrentCell(const ValueList& state) {
  if (state.size() != 5) return std::nullopt;
  const auto* kind = state[0].As<std::string>();
  const CellPtr* flags = AsList(state[3]);
  const CellPtr* packed = AsList(state[4]);
  if (!kind || *kind != "quantized_dynamic" || !flags || !packed) return std::nullopt;
  if ((*flags)->items.size() != 1 || (*packed)->items.size() != 2) return std::nullopt;
  const auto* reduce_range = (*flags)->items[0].As<int64_t>();
  if (!reduce_range) return std::nullopt;
  return ValueMap{{"w_ih", (*packed)->items[0]}, {"w_hh", (*packed)->items[1]}, {"reduce_range", {*reduce_range != 0}}};
}

// ("2", [configuration, weight], [bias]) or (3, configuration, [None, weight, bias])
void SetConv(const ValueList& state, const CellPtr& object, const Weights& weights, Heap* heap) {
  const CellPtr* second = state.size() == 3 ? AsList(state[1]) : nullptr;
  const CellPtr* third = state.size() == 3 ? AsList(state[2]) : nullptr;
  if (!second || !third) return;
  std::vector<int64_t> configuration;
  Value weight;
  Value bias;
  if (state[0].As<std::string>() && (*second)->items.size() == 2 && (*third)->items.size() == 1) {
    const auto* numbers = (*second)->items[0].As<Tensor>();
    if (!numbers) return;
    for (const double number : weights.NumbersIn(*numbers)) configuration.push_back(static_cast<int64_t>(number));
    weight = (*second)->items[1];
    bias = (*third)->items[0];
  } else if (state[0].As<int64_t>() && (*third)->items.size() == 3) {
    for (const Value& item : (*second)->items) {
      if (const auto* number = item.As<int64_t>()) configuration.push_back(*number);
    }
    weight = (*third)->items[1];
    bias = (*third)->items[2];
  }
  if (!SetConvConfiguration(configuration, object, heap)) return;
  heap->Edit(object).attributes["weight"] = weight;
  heap->Edit(object).attributes["bias"] = bias;
}

}  // namespace

void UnpackState(const CellPtr& object, const Weights& weights, Heap* heap) {
  const auto found = object->attributes.find("state");
  const auto* state = found == object->attributes.end() ? nullptr : found->second.As<TuplePtr>();
  if (!state) return;
  const ValueList items = (*state)->items;
  const std::string& type = object->type_name;
  std::optional<ValueMap> attributes;
  if (type.ends_with(".LinearPackedParamsBase")) attributes = Linear(items);
  if (type.ends_with(".EmbeddingPackedParamsBase")) attributes = Embedding(items);
  if (type.ends_with(".rnn.CellParamsBase")) attributes = RecurrentCell(items);
  if (attributes) heap->Edit(object).attributes = *std::move(attributes);
  if (type.find(".Conv") != std::string::npos) SetConv(items, object, weights, heap);
}

}  // namespace onnxport::torchscript
