#include "runtime/api/reports/operators_of.h"

#include <map>
#include <string>
#include <utility>

#include "runtime/lowering/dsl/dispatch.h"

namespace onnxport {
namespace {

// Which nodes were made of which operator's calls, by the location that a call and its nodes share. Passes merge nodes:
// one that stands for two calls has the location of one of them and counts there.
class Counter {
 public:
  Counter(const ir::Graph& source, const ir::Graph& model) : by_location_(source.locations.size()) {
    CountCalls(source.body, model.opset);
    CountNodes(model.body);
  }

  std::vector<Model::Operator> Take() {
    std::vector<Model::Operator> operators;
    for (auto& [name, counted] : operators_) operators.push_back(std::move(counted));
    return operators;
  }

 private:
  void CountCalls(const ir::Block& block, int opset) {
    for (const ir::Node& call : block.nodes) {
      Model::Operator& counted = operators_[call.op];
      if (counted.calls++ == 0) {
        counted.name = call.op;
        if (const lowering::DispatchRow* row = lowering::FindRow(call.op, opset)) counted.spec = row->spec;
      }
      if (call.location != ir::LocationId::kNone) {
        // Where several calls have one location, nodes count for the first.
        Model::Operator*& first = by_location_[static_cast<size_t>(call.location)];
        if (first == nullptr) first = &counted;
      }
      for (const ir::Block& inner : call.blocks) CountCalls(inner, opset);
    }
  }

  void CountNodes(const ir::Block& block) {
    for (const ir::Node& node : block.nodes) {
      Model::Operator* made_of =
          node.location == ir::LocationId::kNone ? nullptr : by_location_[static_cast<size_t>(node.location)];
      if (made_of != nullptr) ++made_of->nodes[node.op];
      for (const ir::Block& inner : node.blocks) CountNodes(inner);
    }
  }

  std::map<std::string, Model::Operator> operators_;
  std::vector<Model::Operator*> by_location_;
};

}  // namespace

std::vector<Model::Operator> OperatorsOf(const ir::Graph& source, const ir::Graph& model) {
  return Counter(source, model).Take();
}

}  // namespace onnxport
