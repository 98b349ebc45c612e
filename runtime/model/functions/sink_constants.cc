#include "runtime/model/functions/sink_constants.h"

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "runtime/ir/same_bytes.h"
#include "runtime/model/functions/body.h"
#include "runtime/model/passes/graph/rewrite.h"

namespace onnxport::functions {
namespace {

using ir::ValueId;
using Data = std::shared_ptr<const ir::TensorData>;

constexpr int64_t kMostElements = 64;

bool IsSmall(const ir::TensorData& data) {
  int64_t count = 1;
  for (const int64_t dim : data.shape) {
    if (dim > kMostElements || (count *= dim) > kMostElements) return false;
  }
  return true;
}

class Sinker {
 public:
  explicit Sinker(ModularGraph* model) : model_(*model), calls_(model->functions.size()) {
    for (const ir::Weight& weight : model_.graph.weights) {
      if (weight.constant && IsSmall(*weight.data)) known_.emplace(weight.value, weight.data);
    }
    for (size_t i = 0; i < model_.functions.size(); ++i) numbers_.emplace(model_.functions[i].op, i);
    FindCalls(&model_.graph.body);
    for (Function& function : model_.functions) FindCalls(&function.body);
  }

  void Run() {
    // Callers of a function come after it, so the arguments of a caller are known before.
    for (size_t i = model_.functions.size(); i-- > 0;) Sink(i);
    for (Function& function : model_.functions) AddConstants(&function.body);
    RemoveUnused();
  }

 private:
  void FindCalls(ir::Block* block) {
    passes::ForEachNode(*block, [this](ir::Node& node) {
      if (const auto found = numbers_.find(node.op); found != numbers_.end()) calls_[found->second].push_back(&node);
    });
  }

  void Sink(size_t number) {
    std::vector<ValueId>& inputs = model_.functions[number].body.inputs;
    std::vector<bool> sunk(inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Data data = AlikeAt(i, calls_[number]);
      if (data == nullptr) continue;
      known_.emplace(inputs[i], data);
      sunk[i] = true;
    }
    for (ir::Node* call : calls_[number]) EraseMarked(sunk, &call->inputs);
    EraseMarked(sunk, &inputs);
  }

  // The constant that all calls pass at a position; null if they differ, or if it is no constant. If a caller is a
  // function, its input counts as the constant that its own callers pass, which is known already (Run).
  Data AlikeAt(size_t position, const std::vector<ir::Node*>& calls) const {
    Data first;
    for (const ir::Node* call : calls) {
      const auto found = known_.find(*call->inputs[position].value());
      if (found == known_.end()) return nullptr;
      if (first == nullptr) first = found->second;
      if (first != found->second && !ir::SameBytes(*first, *found->second)) return nullptr;
    }
    return first;
  }

  template <typename T>
  static void EraseMarked(const std::vector<bool>& marked, std::vector<T>* list) {
    size_t at = 0;
    std::erase_if(*list, [&](const T&) { return marked[at++]; });
  }

  // In the order in which they are used.
  void AddConstants(ir::Block* body) {
    std::unordered_set<ValueId> inputs(body->inputs.begin(), body->inputs.end());
    std::vector<ir::Node> constants;
    for (const ir::Node& node : body->nodes) {
      ForEachUse(node, [&](ValueId id) {
        const auto found = known_.find(id);
        if (found == known_.end() || !inputs.insert(id).second) return;
        constants.push_back({.op = "Constant",
                             .inputs = {},
                             .attributes = {{"value", {found->second}}},
                             .outputs = {id},
                             .blocks = {},
                             .name = "/" + model_.graph.value(id).name});
      });
    }
    body->nodes.insert(body->nodes.begin(), std::make_move_iterator(constants.begin()),
                       std::make_move_iterator(constants.end()));
  }

  void RemoveUnused() {
    std::unordered_set<ValueId> used;
    for (const ir::Node& node : model_.graph.body.nodes) ForEachUse(node, [&](ValueId id) { used.insert(id); });
    for (const ir::Arg& output : model_.graph.body.outputs) used.insert(*output.value());
    std::erase_if(model_.graph.weights, [&](const ir::Weight& weight) {
      return known_.contains(weight.value) && !used.contains(weight.value);
    });
  }

  ModularGraph& model_;
  std::unordered_map<std::string, size_t> numbers_;  // of functions
  std::vector<std::vector<ir::Node*>> calls_;        // of functions
  std::unordered_map<ValueId, Data> known_;          // constants of the graph, and inputs that are one in all calls
};

}  // namespace

void SinkConstants(ModularGraph* model) { Sinker(model).Run(); }

}  // namespace onnxport::functions
