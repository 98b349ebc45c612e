#include "runtime/model/passes/simplify/order_nodes.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <limits>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/model/passes/graph/rewrite.h"

namespace onnxport::passes {
namespace {

using ir::ValueId;

constexpr size_t kNowhere = std::numeric_limits<size_t>::max();

class Orderer {
 public:
  explicit Orderer(size_t values) : made_by_(values, kNowhere), first_use_(values, kNowhere) {}

  // The results of a call are sorted by their uses in later calls, so later calls must be sorted already. So it goes
  // from the last call to the first. For example, y = Mul(Add(a, b), Sub(a, b)) is one call: Add comes first, in
  // whatever order they were emitted, because Mul uses it first.
  void OrderBlock(ir::Block* block) {
    for (ir::Node& node : block->nodes)
      for (ir::Block& inner : node.blocks) OrderBlock(&inner);
    for (size_t i = block->outputs.size(); i-- > 0;) Use(block->outputs[i]);
    std::vector<ir::Node>& nodes = block->nodes;
    for (size_t end = nodes.size(); end > 0;) {
      size_t begin = end - 1;
      while (begin > 0 && nodes[begin - 1].location == nodes[begin].location) --begin;
      OrderCall(std::span(nodes).subspan(begin, end - begin));
      end = begin;
    }
    Forget();
  }

 private:
  // Numbers decrease, because uses are visited from the last to the first.
  void Use(const ir::Arg& arg) {
    if (arg.value() != nullptr && *arg.value() != ValueId::kNone) Use(*arg.value());
  }
  void Use(ValueId id) {
    size_t& first = first_use_[static_cast<size_t>(id)];
    if (first == kNowhere) used_.push_back(id);
    first = kNowhere - 1 - ++uses_;
  }
  void Forget() {
    for (const ValueId id : used_) first_use_[static_cast<size_t>(id)] = kNowhere;
    used_.clear();
    uses_ = 0;
  }

  size_t FirstUse(const ir::Node& node) const {
    size_t first = kNowhere;
    for (const ValueId id : node.outputs)
      if (id != ValueId::kNone) first = std::min(first, first_use_[static_cast<size_t>(id)]);
    return first;
  }

  void OrderCall(std::span<ir::Node> nodes) {
    if (nodes.size() > 1) Apply(nodes, OrderOf(nodes));
    std::vector<ValueId> used;
    for (size_t i = nodes.size(); i-- > 0;) {
      // Uses are numbered from the last node to the first, and within a node from the last input to the first. So the
      // earliest of several uses is written last and stays.
      used.clear();
      ForEachUse(nodes[i], [&](ValueId id) { used.push_back(id); });
      for (size_t k = used.size(); k-- > 0;) Use(used[k]);
    }
  }

  // Depth first, from the results that later calls use.
  std::vector<size_t> OrderOf(std::span<const ir::Node> nodes) {
    for (size_t i = 0; i < nodes.size(); ++i) SetMaker(nodes[i], i);
    std::vector<std::pair<size_t, size_t>> results;
    for (size_t i = 0; i < nodes.size(); ++i)
      if (const size_t first = FirstUse(nodes[i]); first != kNowhere) results.emplace_back(first, i);
    std::ranges::sort(results);
    std::vector<size_t> order;
    std::vector<bool> seen(nodes.size());
    for (const auto& [first, result] : results) Place(nodes, result, &seen, &order);
    for (size_t i = 0; i < nodes.size(); ++i)
      if (!seen[i]) Place(nodes, i, &seen, &order);
    for (const ir::Node& node : nodes) SetMaker(node, kNowhere);
    return order;
  }

  void SetMaker(const ir::Node& node, size_t i) {
    for (const ValueId id : node.outputs)
      if (id != ValueId::kNone) made_by_[static_cast<size_t>(id)] = i;
  }

  // Places a node after all nodes that it needs. It is not recursive, because a call may have any number of nodes.
  void Place(std::span<const ir::Node> nodes, size_t root, std::vector<bool>* seen, std::vector<size_t>* order) const {
    struct Open {
      size_t node;
      std::vector<size_t> needs;  // the last first
    };
    std::vector<Open> open;
    const auto enter = [&](size_t i) {
      if ((*seen)[i]) return;
      (*seen)[i] = true;
      std::vector<size_t> needs;
      ForEachUse(nodes[i], [&](ValueId id) {
        if (const size_t maker = made_by_[static_cast<size_t>(id)]; maker != kNowhere) needs.push_back(maker);
      });
      std::ranges::reverse(needs);
      open.push_back({i, std::move(needs)});
    };
    enter(root);
    while (!open.empty()) {
      if (open.back().needs.empty()) {
        order->push_back(open.back().node);
        open.pop_back();
        continue;
      }
      const size_t next = open.back().needs.back();
      open.back().needs.pop_back();
      enter(next);
    }
  }

  static void Apply(std::span<ir::Node> nodes, const std::vector<size_t>& order) {
    if (std::ranges::is_sorted(order)) return;
    std::vector<ir::Node> sorted;
    sorted.reserve(nodes.size());
    for (const size_t i : order) sorted.push_back(std::move(nodes[i]));
    std::ranges::move(sorted, nodes.begin());
  }

  std::vector<size_t> made_by_;    // the node of the call at hand that makes a value
  std::vector<size_t> first_use_;  // by later calls of the block; smaller: earlier
  std::vector<ValueId> used_;      // those that have a number
  size_t uses_ = 0;
};

// Numbers the values in the order in which they occur, because passes use this order, too.
class Renumberer {
 public:
  explicit Renumberer(ir::Graph* graph) : graph_(graph), number_(graph->values.size(), kNowhere) {}

  void Run() {
    for (ir::Weight& weight : graph_->weights) Renumber(&weight.value);
    RenumberBlock(&graph_->body);
    for (std::vector<ir::Port>* ports : {&graph_->inputs, &graph_->outputs})
      for (ir::Port& port : *ports) Renumber(&port.value);
    if (IsInOrder()) return;
    std::deque<ir::Value> values(next_);
    for (size_t i = 0; i < number_.size(); ++i)
      if (number_[i] != kNowhere) values[number_[i]] = std::move(graph_->values[i]);
    graph_->values = std::move(values);
  }

 private:
  // Each has its number already, so nothing has to be moved.
  bool IsInOrder() const {
    if (next_ != number_.size()) return false;
    for (size_t i = 0; i < number_.size(); ++i)
      if (number_[i] != i) return false;
    return true;
  }
  void RenumberBlock(ir::Block* block) {
    Renumber(block->inputs);
    for (ir::Node& node : block->nodes) {
      for (ir::Arg& input : node.inputs) Renumber(&input);
      for (ir::Block& inner : node.blocks) RenumberBlock(&inner);
      Renumber(node.outputs);
    }
    for (ir::Arg& output : block->outputs) Renumber(&output);
  }
  void Renumber(std::span<ValueId> ids) {
    for (ValueId& id : ids) Renumber(&id);
  }
  void Renumber(ir::Arg* arg) {
    if (auto* id = std::get_if<ValueId>(&arg->v)) Renumber(id);
  }
  void Renumber(ValueId* id) {
    if (*id == ValueId::kNone) return;
    size_t& number = number_[static_cast<size_t>(*id)];
    if (number == kNowhere) number = next_++;
    *id = static_cast<ValueId>(number);
  }

  ir::Graph* graph_;
  std::vector<size_t> number_;
  size_t next_ = 0;
};

}  // namespace

void OrderNodes(ir::Graph* graph) {
  Orderer(graph->values.size()).OrderBlock(&graph->body);
  Renumberer(graph).Run();
}

}  // namespace onnxport::passes
