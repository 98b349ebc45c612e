#include "runtime/model/passes/half/value_kinds.h"

#include <algorithm>
#include <string_view>

#include "runtime/ir/read_node.h"
#include "runtime/onnx/op_facts.h"

namespace onnxport::passes {
namespace {

using ir::ValueId;

bool IsOneOf(const ir::Node& node, std::initializer_list<std::string_view> ops) {
  return std::ranges::find(ops, std::string_view(node.op)) != ops.end();
}

// Returns true if the result may be as large as the inputs. A Softmax of a mask is between 0 and 1.
bool KeepsSize(const ir::Node& node) {
  if (IsOneOf(node, {"Erf", "HardSigmoid", "Sigmoid", "Sign", "Softsign", "Tanh"})) return false;
  const onnx_ops::Form form = onnx_ops::Find(node.op).form;
  return form == onnx_ops::Form::kElementwise || form == onnx_ops::Form::kView ||
         IsOneOf(node, {"Concat", "Expand", "Gather", "GatherElements", "GatherND", "Max", "Min", "Pad",
                        "ScatterElements", "ScatterND", "Slice", "Split", "Tile", "Transpose", "Where"});
}

}  // namespace

ValueKinds::ValueKinds(const ir::Graph& graph, std::vector<bool> wide) : graph_(graph), kinds_(graph.values.size()) {
  for (const ir::Weight& weight : graph.weights)
    At(weight.value) = {.origin = Origin::kWeight, .wide = wide[static_cast<size_t>(weight.value)]};
  for (const ValueId input : graph.body.inputs) {
    if (IsFloat(input)) NoteData(input);
  }
}

Origin ValueKinds::OriginOf(const ir::Node& node) const {
  bool any = false;
  Origin origin = Origin::kWeight;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const ValueId id = InputAt(node, i);
    if (!IsFloat(id)) continue;
    any = true;
    origin = std::max(origin, Of(id).origin);
  }
  if (!any) return node.op == "Constant" ? Origin::kWeight : Origin::kPosition;  // Cast, Range: made of integers
  return node.op == "Gather" && origin == Origin::kWeight ? Origin::kData : origin;
}

bool ValueKinds::HasWide(const ir::Node& node) const {
  return std::ranges::any_of(
      node.inputs, [this](const ir::Arg& input) { return input.value() != nullptr && Of(*input.value()).wide; });
}

void ValueKinds::Note(const ir::Node& node) {
  const Kind kind = {.origin = node.blocks.empty() ? OriginOf(node) : Origin::kData,
                     .wide = KeepsSize(node) && HasWide(node)};
  for (const ValueId output : node.outputs) {
    if (output != ValueId::kNone) At(output) = kind;
  }
}

}  // namespace onnxport::passes
