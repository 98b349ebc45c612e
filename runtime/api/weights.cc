#include "runtime/api/weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "runtime/api/border/opener.h"
#include "runtime/base/error.h"
#include "runtime/ir/uses.h"

namespace onnxport {
namespace {

void AddUses(const ir::Block& block, ir::Uses* uses) {
  for (const ir::Node& node : block.nodes) {
    uses->Add(node.inputs);
    for (const ir::Block& inner : node.blocks) AddUses(inner, uses);
  }
  uses->Add(block.outputs);
}

}  // namespace

std::optional<weights::Replacement> ReplacementOf(const ExportOptions& options) {
  if (options.weights && options.weights_as_inputs) {
    throw Error(ErrorKind::kUsage,
                "weights are either inputs of the model (<<weights_as_inputs>>) or come from a file "
                "(<<weights>>)");
  }
  if (options.weights) return weights::Replacement(options.weights->opener().Open());
  if (options.weights_as_inputs) return weights::Replacement();
  return std::nullopt;
}

void MarkConstants(const std::vector<std::string>& state, ir::Graph* graph) {
  ir::Uses uses(*graph);
  AddUses(graph->body, &uses);
  // Unused ones go first: what stays is written to the model as its state.
  std::erase_if(graph->weights, [&](const ir::Weight& weight) { return !uses.Has(weight.value); });
  const std::set<std::string_view> names(state.begin(), state.end());
  for (ir::Weight& weight : graph->weights)
    // A weight with known contents was used in computations (as a size of a reshape, say). If it got another value
    // later, only half of the model would use the new one.
    weight.constant = !names.contains(weight.name) || graph->value(weight.value).contents.has_value();
}

void SettleWeights(const ExportOptions& options, size_t own, ir::Graph* model, std::vector<std::string>* remarks) {
  ir::Uses uses(*model);
  AddUses(model->body, &uses);
  const auto unused = [&](const ir::Arg& input) { return !uses.Has(*input.value()); };
  // A block's inputs and the graph's ports say the same in the same order: both lose the same ones.
  const auto first = static_cast<std::ptrdiff_t>(own);
  auto& ports = model->inputs;
  auto& inputs = model->body.inputs;
  ports.erase(std::remove_if(ports.begin() + first, ports.end(), [&](const ir::Port& p) { return unused(p.value); }),
              ports.end());
  inputs.erase(std::remove_if(inputs.begin() + first, inputs.end(), [&](ir::ValueId id) { return unused({id}); }),
               inputs.end());
  // Only now, without those that nothing uses: a fake weight that the model does not need is nobody's problem.
  const size_t count = ports.size() - own;
  if (count == 0) return;
  if (!options.weights_as_inputs) {
    throw Error(ErrorKind::kCannotExport,
                fmt::format("{} weights have no elements ('{}' is the first), as those of fake and meta tensors: "
                            "save the program with real ones, name a file that has them (<<weights>>), or "
                            "make them inputs of the model (<<weights_as_inputs>>)",
                            count, ports[own].name));
  }
  remarks->push_back(fmt::format("{} weights are inputs of the model, behind its own", count));
}

}  // namespace onnxport
