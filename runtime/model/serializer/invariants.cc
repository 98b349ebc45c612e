#include "runtime/model/serializer/invariants.h"

#include <fmt/core.h>

#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "runtime/base/internal_error.h"
#include "runtime/base/name_set.h"
#include "runtime/ir/location.h"
#include "runtime/onnx/op_facts.h"

namespace onnxport::serializer {
namespace {

// protobuf reads messages 100 deep, and a subgraph needs three levels.
constexpr int kMostNested = 30;
constexpr size_t kNowhere = static_cast<size_t>(-1);  // the block of what is not defined

class Checker {
 public:
  explicit Checker(const ir::Graph& graph) : graph_(graph), block_(graph.values.size(), kNowhere) {}

  void Run(std::span<const functions::Function> functions) {
    // Null until its body was checked. So a call of a later function, or of itself, differs from a node of another
    // domain.
    for (const functions::Function& function : functions) functions_.emplace(function.op, nullptr);
    for (const functions::Function& function : functions) {
      RunBody(function.body);
      functions_[function.op] = &function;
    }
    for (const ir::ValueId input : graph_.body.inputs) CheckPort(input);
    for (const ir::Weight& weight : graph_.weights) Define(weight.value, "a weight");
    RunBody(graph_.body);
    for (const ir::Arg& output : graph_.body.outputs) CheckPort(*output.value());
  }

 private:
  // Its names are separate, and its values belong to no other body.
  void RunBody(const ir::Block& body) {
    for (const ir::ValueId input : body.inputs) Define(input, "an input");
    for (const ir::Node& node : body.nodes) CheckNode(node, 0);
    CheckOutputs(body);
    names_.Clear();
    node_names_.Clear();
  }

  void CheckCall(const ir::Node& node) {
    const auto found = functions_.find(node.op);
    if (found == functions_.end()) return;
    if (found->second == nullptr) Fail(fmt::format("{} calls a function that comes later", node.name));
    const ir::Block& body = found->second->body;
    if (node.inputs.size() != body.inputs.size() || node.outputs.size() != body.outputs.size())
      Fail(fmt::format("{} does not fit the function that it calls", node.name));
  }

  void CheckNode(const ir::Node& node, int depth) {
    if (node.name.empty() || !node_names_.Insert(node.name))
      Fail(fmt::format("node name `{}` is not unique", node.name));
    for (const ir::Arg& input : node.inputs) {
      if (!input.is_none()) CheckUse(input, node.name);
    }
    CheckCall(node);
    // Before the node's own outputs are defined, because its blocks must not see them.
    CheckBlocks(node, depth + 1);
    for (const ir::ValueId output : node.outputs) {
      if (output != ir::ValueId::kNone) Define(output, node.name);
    }
  }

  // Values that a block defines end with it.
  void CheckBlocks(const ir::Node& node, int depth) {
    if (depth > kMostNested) {
      throw Error(ErrorKind::kCannotExport,
                  fmt::format("conditions and loops nested more than {} deep{}: readers of ONNX files stop there",
                              kMostNested, ir::InParentheses(graph_.location(node.location))));
    }
    if (node.blocks.size() != onnx_ops::Find(node.op).blocks.size())
      Fail(fmt::format("{} has {} subgraphs", node.name, node.blocks.size()));
    for (const ir::Block& block : node.blocks) {
      local_.emplace_back();
      for (const ir::ValueId input : block.inputs) {
        Define(input, node.name);
        CheckPort(input);
      }
      for (const ir::Node& inner : block.nodes) CheckNode(inner, depth);
      for (const ir::Arg& output : block.outputs) CheckBlockOutput(output, node.name);
      for (const ir::ValueId id : local_.back()) block_[static_cast<size_t>(id)] = kNowhere;
      local_.pop_back();
    }
  }

  // It must be made by a node of the block itself, because runtimes refuse outer values there.
  void CheckBlockOutput(const ir::Arg& output, std::string_view where) {
    CheckUse(output, where);
    CheckPort(*output.value());
    if (block_[static_cast<size_t>(*output.value())] != local_.size())
      Fail(fmt::format("a subgraph of {} gives the outer value `{}`", where, graph_.value(*output.value()).name));
  }

  void CheckOutputs(const ir::Block& body) {
    std::unordered_set<std::string_view> names;
    for (const ir::Arg& output : body.outputs) {
      CheckUse(output, "the graph's outputs");
      const std::string& name = graph_.value(*output.value()).name;
      if (!names.insert(name).second) Fail(fmt::format("output `{}` is listed twice", name));
    }
  }

  void Define(ir::ValueId id, std::string_view where) {
    const std::string& name = CheckedValue(id, where).name;
    if (name.empty()) Fail(fmt::format("a value of {} has no name", where));
    if (block_[static_cast<size_t>(id)] != kNowhere) Fail(fmt::format("`{}` is defined again by {}", name, where));
    if (!names_.Insert(name)) Fail(fmt::format("the name `{}` is used twice", name));
    // 0 while no block is open. CheckBlockOutput uses it to find values of the innermost block.
    block_[static_cast<size_t>(id)] = local_.size();
    if (!local_.empty()) local_.back().push_back(id);
  }

  void CheckUse(const ir::Arg& arg, std::string_view where) {
    if (arg.value() == nullptr) Fail(fmt::format("{} has an input that is no value of the graph", where));
    const ir::Value& value = CheckedValue(*arg.value(), where);
    if (block_[static_cast<size_t>(*arg.value())] == kNowhere)
      Fail(fmt::format("`{}` is used by {} before it is defined", value.name, where));
  }

  void CheckPort(ir::ValueId id) {
    const ir::Value& value = graph_.value(id);
    if (!ir::HoldsTensors(value.kind) || value.dtype == ir::DType::kUndefined) {
      Fail(fmt::format("`{}` is no tensor of a known type", value.name));
    }
    if (!value.dims) return;
    for (const ir::Dim& dim : *value.dims) {
      if (dim.is_number() && dim.number() < 0) Fail(fmt::format("`{}` has a negative dimension", value.name));
    }
  }

  const ir::Value& CheckedValue(ir::ValueId id, std::string_view where) {
    const auto index = static_cast<size_t>(id);
    if (index >= graph_.values.size())
      Fail(fmt::format("{} names value {}, there are {}", where, static_cast<int>(id), graph_.values.size()));
    return graph_.values[index];
  }

  [[noreturn]] static void Fail(const std::string& text) { throw InternalError(text); }

  const ir::Graph& graph_;
  std::vector<size_t> block_;                    // of values: 0 is the graph, n the n-th of the open blocks
  std::vector<std::vector<ir::ValueId>> local_;  // of the open blocks
  NameSet names_;
  NameSet node_names_;
  std::unordered_map<std::string_view, const functions::Function*> functions_;  // by operator
};

}  // namespace

void CheckInvariants(const ir::Graph& graph, std::span<const functions::Function> functions) {
  Checker(graph).Run(functions);
}

}  // namespace onnxport::serializer
