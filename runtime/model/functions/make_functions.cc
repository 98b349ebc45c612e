#include "runtime/model/functions/make_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/base/interruption.h"
#include "runtime/ir/ir_version.h"
#include "runtime/model/functions/body.h"
#include "runtime/model/functions/function_store.h"
#include "runtime/model/functions/module_tree.h"
#include "runtime/model/functions/partition.h"
#include "runtime/model/functions/shared_results.h"
#include "runtime/model/functions/sink_constants.h"

namespace onnxport::functions {
namespace {

using ir::ValueId;

constexpr int kIrVersionWithFunctions = 8;
constexpr int kFirstOpset = 15;  // of that version

std::vector<Origin> OriginsOf(const ir::Graph& graph, size_t own_inputs) {
  std::vector<Origin> origins(graph.values.size(), Origin::kComputed);
  for (size_t i = own_inputs; i < graph.body.inputs.size(); ++i) {
    origins[static_cast<size_t>(graph.body.inputs[i])] = Origin::kWeight;
  }
  for (const ir::Weight& weight : graph.weights) {
    origins[static_cast<size_t>(weight.value)] = weight.constant ? Origin::kConstant : Origin::kWeight;
  }
  return origins;
}

class Maker {
 public:
  Maker(ir::Graph graph, const Options& options)
      : model_{.graph = std::move(graph), .functions = {}},
        tree_(model_.graph, options.classes),
        least_nodes_(options.classes.empty() ? 2 : 1),
        origins_(OriginsOf(model_.graph, options.inputs)),
        node_of_(model_.graph.values.size()),
        leaves_(model_.graph.values.size()),
        store_(&model_, origins_) {}

  ModularGraph Run() {
    DivideBlock(&model_.graph.body, {});
    SinkConstants(&model_);
    return std::move(model_);
  }

 private:
  // The modules around a list of nodes.
  struct Scope {
    size_t depth = 0;
    int module = kNoModule;
  };

  void DivideBlock(ir::Block* block, const Scope& scope) {
    for (const ir::Arg& output : block->outputs) leaves_[static_cast<size_t>(*output.value())] = true;
    block->nodes = Divide(std::move(block->nodes), scope);
  }

  // Returns the nodes, with calls instead of the modules directly in `scope`.
  std::vector<ir::Node> Divide(std::vector<ir::Node> nodes, const Scope& scope) {
    Interruption::Check();
    std::vector<int> modules;
    for (const ir::Node& node : nodes) modules.push_back(ModuleOf(node, scope));
    if (std::ranges::all_of(modules, [](int module) { return module == kNoModule; })) {
      for (ir::Node& node : nodes) DivideBlocks(&node, scope);
      return nodes;
    }
    const std::vector<std::vector<size_t>> needs = NeedsOf(nodes);
    // The order matters. Shared results must leave their modules before the parts are made. Results that leave a part
    // must be known before its nodes are removed, because they are the outputs of its call.
    ReleaseShared(model_.graph, nodes, needs, {.origins = origins_, .leaves = leaves_}, &modules);
    const std::vector<Part> parts = Partition(modules, needs);
    MarkLeaving(nodes, parts, needs);
    std::vector<ir::Node> divided;
    for (const Part& part : parts) {
      std::vector<ir::Node> taken;
      for (const size_t i : part.nodes) taken.push_back(std::move(nodes[i]));
      if (part.module == kNoModule) {
        DivideBlocks(&taken[0], scope);
        divided.push_back(std::move(taken[0]));
      } else {
        AddModule(part.module, std::move(taken), {scope.depth + 1, part.module}, &divided);
      }
    }
    return divided;
  }

  void DivideBlocks(ir::Node* node, const Scope& scope) {
    for (ir::Block& block : node->blocks) DivideBlock(&block, scope);
  }

  int ModuleOf(const ir::Node& node, const Scope& scope) {
    const std::vector<int>& around = tree_.Around(node.location);
    if (around.size() <= scope.depth) return kNoModule;
    // A node of a subgraph may belong to a module elsewhere.
    if (scope.depth > 0 && around[scope.depth - 1] != scope.module) return kNoModule;
    return around[scope.depth];
  }

  // Returns the node of the list that makes the value. Entries of another list may be left; their nodes do not make it.
  std::optional<size_t> MakerOf(const std::vector<ir::Node>& nodes, ValueId id) const {
    const size_t made = node_of_[static_cast<size_t>(id)];
    if (made >= nodes.size() || std::ranges::find(nodes[made].outputs, id) == nodes[made].outputs.end()) return {};
    return made;
  }

  // For each node, the nodes of the list that make its inputs.
  std::vector<std::vector<size_t>> NeedsOf(const std::vector<ir::Node>& nodes) {
    std::vector<std::vector<size_t>> needs(nodes.size());
    for (size_t i = 0; i < nodes.size(); ++i) {
      ForEachUse(nodes[i], [&](ValueId id) {
        if (const auto made = MakerOf(nodes, id)) needs[i].push_back(*made);
      });
      for (const ValueId output : nodes[i].outputs) {
        if (output != ValueId::kNone) node_of_[static_cast<size_t>(output)] = i;
      }
    }
    return needs;
  }

  // Notes which results are used outside of their part.
  void MarkLeaving(const std::vector<ir::Node>& nodes, const std::vector<Part>& parts,
                   const std::vector<std::vector<size_t>>& needs) {
    std::vector<size_t> part_of(nodes.size());
    for (size_t p = 0; p < parts.size(); ++p) {
      for (const size_t i : parts[p].nodes) part_of[i] = p;
    }
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (std::ranges::all_of(needs[i], [&](size_t made) { return part_of[made] == part_of[i]; })) continue;
      ForEachUse(nodes[i], [&](ValueId id) {
        const auto made = MakerOf(nodes, id);
        if (made && part_of[*made] != part_of[i]) leaves_[static_cast<size_t>(id)] = true;
      });
    }
  }

  void AddModule(int module, std::vector<ir::Node> nodes, const Scope& scope, std::vector<ir::Node>* divided) {
    std::vector<ValueId> outputs;
    for (const ir::Node& node : nodes) {
      for (const ValueId output : node.outputs) {
        if (output != ValueId::kNone && leaves_[static_cast<size_t>(output)]) outputs.push_back(output);
      }
    }
    const bool is_small = nodes.size() < least_nodes_ || outputs.empty();
    // From the outermost module inwards; inner calls are then nodes of the outer function.
    nodes = Divide(std::move(nodes), scope);
    if (is_small) {
      std::ranges::move(nodes, std::back_inserter(*divided));
    } else {
      divided->push_back(store_.Call(tree_.call(module), std::move(nodes), std::move(outputs)));
    }
  }

  ModularGraph model_;
  ModuleTree tree_;
  size_t least_nodes_;
  std::vector<Origin> origins_;  // by value
  std::vector<size_t> node_of_;  // by value: the node that makes it, by its number in its list
  std::vector<bool> leaves_;     // by value: it is used outside of a module that it is made in
  FunctionStore store_;
};

}  // namespace

void CheckOpset(int opset) {
  if (ir::IrVersionOf(opset) >= kIrVersionWithFunctions) return;
  throw Error(
      ErrorKind::kUsage,
      fmt::format("<<functions>> at opset {}: files have functions from IR version {} on; take opset {} or later",
                  opset, kIrVersionWithFunctions, kFirstOpset));
}

ModularGraph MakeFunctions(ir::Graph graph, const Options& options) { return Maker(std::move(graph), options).Run(); }

}  // namespace onnxport::functions
