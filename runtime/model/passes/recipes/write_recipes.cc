#include "runtime/model/passes/recipes/write_recipes.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/ir/dtype.h"
#include "runtime/ir/program_weight.h"
#include "runtime/ir/uses.h"
#include "runtime/model/passes/recipes/hash_of.h"
#include "runtime/model/passes/weights/makers.h"

namespace onnxport::passes {
namespace {

using ir::ProgramWeight;
using ir::TensorData;
using nlohmann::json;

const ProgramWeight* AsProgramWeight(const TensorData& data) {
  return dynamic_cast<const ProgramWeight*>(data.bytes.get());
}
const MadeBytes* AsMade(const TensorData& data) { return dynamic_cast<const MadeBytes*>(data.bytes.get()); }

const std::string& NameOf(const ProgramWeight& weight) { return weight.names().front(); }

// The limit for steps of a recipe. Readers accept more. But if weights share sources again and again, the text would
// double with each step.
constexpr int kMostSteps = 16;

bool IsShort(const TensorData& data, int* left) {
  const MadeBytes* made = AsMade(data);
  if (made == nullptr) return true;
  if (--*left < 0) return false;
  return std::ranges::all_of(made->recipe().of, [left](const WeightData& of) { return IsShort(*of, left); });
}

// The program's weights from which one is made.
struct Leaves {
  std::set<const Recipe*> seen;
  std::map<std::string, const ProgramWeight*> weights;
  bool others = false;    // constants of the program, which the model does not have
  bool unstated = false;  // there is a step that no recipe states
};

void AddLeaves(const TensorData& data, Leaves* leaves) {
  if (const ProgramWeight* weight = AsProgramWeight(data)) {
    leaves->weights.emplace(NameOf(*weight), weight);
  } else if (const MadeBytes* made = AsMade(data)) {
    if (!leaves->seen.insert(&made->recipe()).second) return;
    leaves->unstated |= made->recipe().maker->make == nullptr;
    for (const WeightData& of : made->recipe().of) AddLeaves(*of, leaves);
  } else {
    leaves->others = true;
  }
}

// The text of one JSON value. A model has many weights, so their texts are written at once, without trees of values.
using Text = std::string;

// Bytes that are no UTF-8 are replaced.
Text TextOf(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

Text Quoted(std::string_view text) {
  const bool plain = std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
  if (!plain) return TextOf(json(text));
  Text quoted;
  quoted.reserve(text.size() + 2);
  quoted += '"';
  quoted += text;
  quoted += '"';
  return quoted;
}

template <typename Range, typename Element>
Text Joined(char open, const Range& range, char close, const Element& element) {
  Text text(1, open);
  for (const auto& item : range) {
    if (text.size() > 1) text += ',';
    text += element(item);
  }
  text += close;
  return text;
}

// Keys are in order, as in all JSON that nlohmann's library writes.
Text ObjectOf(const std::map<std::string_view, Text>& fields) {
  return Joined('{', fields, '}', [](const auto& field) { return Quoted(field.first) + ":" + field.second; });
}

Text ListOf(const std::vector<Text>& texts) {
  return Joined('[', texts, ']', [](const Text& text) { return text; });
}

Text TypeOf(const TensorData& data) {
  const Text shape = Joined('[', data.shape, ']', [](int64_t size) { return std::to_string(size); });
  return ListOf({Quoted(ir::Name(data.dtype)), shape});
}

bool IsView(const TensorData& view, const TensorData& whole) {
  return view.dtype != whole.dtype || view.shape != whole.shape;
}

// A view has the bytes of its source, and no recipe of its own.
Text AsView(Text of, const TensorData& view, const TensorData& whole) {
  if (!IsView(view, whole)) return of;
  return ObjectOf({{kViewed.name, TypeOf(view)}, {"of", ListOf({std::move(of)})}});
}

Text RecipeOf(const TensorData& data) {
  if (const ProgramWeight* weight = AsProgramWeight(data)) return AsView(Quoted(NameOf(*weight)), data, weight->data());
  const MadeBytes& made = *AsMade(data);
  const Recipe& recipe = made.recipe();
  const Text of = Joined('[', recipe.of, ']', [](const WeightData& source) { return RecipeOf(*source); });
  std::map<std::string_view, Text> stated = {{recipe.maker->name, TextOf(recipe.how)}, {"of", of}};
  if (made.part() > 0) stated["part"] = std::to_string(made.part());
  return AsView(ObjectOf(stated), data, made.data());
}

void AddUses(const ir::Block& block, ir::Uses* uses) {
  for (const ir::Node& node : block.nodes) {
    uses->Add(node.inputs);
    for (const ir::Block& inner : node.blocks) AddUses(inner, uses);
  }
  uses->Add(block.outputs);
}

class Writer {
 public:
  std::string Write(const ir::Graph& model, const ir::Graph& calls) {
    for (const ir::Weight& weight : calls.weights) {
      if (const ProgramWeight* own = AsProgramWeight(*weight.data))
        names_.insert(own->names().begin(), own->names().end());
    }
    for (const ir::Weight& weight : model.weights) AddStored(model.value(weight.value).name, *weight.data);
    ir::Uses uses(calls);
    AddUses(calls.body, &uses);
    for (const ir::Weight& weight : calls.weights) {
      const ProgramWeight* own = AsProgramWeight(*weight.data);
      if (own != nullptr && uses.Has(weight.value)) AddProgramWeight(*own);
    }
    if (parts_.empty()) return "";
    return Joined('{', parts_, '}', [](const auto& part) {
      return Quoted(part.first) + ":" +
             Joined('{', part.second, '}', [](const auto& entry) { return Quoted(entry.first) + ":" + entry.second; });
    });
  }

 private:
  void AddStored(const std::string& name, const TensorData& data) {
    Leaves leaves;
    AddLeaves(data, &leaves);
    if (leaves.weights.empty()) {  // a constant stays what it is
      if (names_.contains(name)) parts_["made"][name] = "null";
      return;
    }
    int left = kMostSteps;
    const bool stated = !leaves.others && !leaves.unstated && IsShort(data, &left);
    Text recipe = stated ? Shared(name, data) : Unstated(leaves);
    if (recipe == Quoted(name)) return;
    parts_["made"][name] = std::move(recipe);
    for (const auto& [of, weight] : leaves.weights) {
      if (Text& type = parts_["of"][of]; type.empty()) type = TypeOf(weight->data());
    }
  }

  // Returns the recipe, or the reference to another stored weight with this recipe.
  Text Shared(const std::string& name, const TensorData& data) {
    const MadeBytes* made = AsMade(data);
    if (made == nullptr || IsView(data, made->data()) || made->recipe().maker->name == kViewed.name)
      return RecipeOf(data);
    const auto [first, is_new] = shared_.try_emplace(&made->recipe(), name);
    if (is_new) return RecipeOf(data);
    return ObjectOf({{"with", Quoted(first->second)}, {"part", std::to_string(made->part())}});
  }

  // A weight with such steps is refused for any contents, so it needs no hash.
  Text Unstated(const Leaves& leaves) {
    for (const auto& [name, _] : leaves.weights) refused_.insert(name);
    const Text of = Joined('[', leaves.weights, ']', [](const auto& leaf) { return Quoted(leaf.first); });
    return ObjectOf({{kUnstated.name, "null"}, {"of", of}});
  }

  void AddProgramWeight(const ProgramWeight& weight) {
    for (size_t i = 1; i < weight.names().size(); ++i) parts_["tied"][weight.names()[i]] = Quoted(NameOf(weight));
    if (weight.was_read() && !weight.absent() && !refused_.contains(NameOf(weight)))
      parts_["read"][NameOf(weight)] = Quoted(HashOf(weight.data()));
  }

  std::map<std::string, std::map<std::string, Text>> parts_;
  std::map<const Recipe*, std::string> shared_;  // the first stored weight by each
  std::set<std::string> names_;                  // of weights of the program
  std::set<std::string> refused_;                // of weights in a step that no recipe describes
};

}  // namespace

std::string WriteRecipes(const ir::Graph& model, const ir::Graph& calls) { return Writer().Write(model, calls); }

}  // namespace onnxport::passes
