// Reads small graphs with modules from text, and prints modular graphs as text.
#ifndef ONNXPORT_RUNTIME_TESTING_MODULAR_PROGRAM_H_
#define ONNXPORT_RUNTIME_TESTING_MODULAR_PROGRAM_H_

#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/ir/location.h"
#include "runtime/model/functions/function.h"
#include "runtime/model/passes/finish/naming.h"
#include "runtime/testing/graph_builder.h"

namespace onnxport::functions {

// A line is `y = Op a b : path Class, path.inner Class`. The modules around the node follow the colon, the outermost
// first; `path@1` is the second call of one. `Op/2` has the attribute `n` = 2. A name that no line defines is a weight
// if it has a dot, a constant if it starts with `c`, and otherwise an input. The last line is `return y z`.
class ProgramReader {
 public:
  ir::Graph Read(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) ReadLine(line);
    passes::NameValues(&builder_.graph);
    return std::move(builder_.graph);
  }

 private:
  void ReadLine(const std::string& line) {
    std::istringstream words(line.substr(0, line.find(" : ")));
    std::string first;
    words >> first;
    if (first == "return") {
      for (std::string name; words >> name;) builder_.Output(values_.at(name));
    } else if (!first.empty()) {
      ReadNode(first, line, &words);
    }
  }

  void ReadNode(const std::string& result, const std::string& line, std::istringstream* words) {
    std::string op;
    *words >> op >> op;
    const size_t slash = op.find('/');
    std::vector<ir::Attribute> attributes;
    if (slash != std::string::npos) attributes.push_back({"n", {int64_t{std::stoi(op.substr(slash + 1))}}});
    std::vector<ir::ValueId> inputs;
    for (std::string name; *words >> name;) inputs.push_back(ValueOf(name));
    values_[result] = builder_.Node(op.substr(0, slash), inputs, result, {2}, ir::DType::kFloat32, attributes);
    const size_t colon = line.find(" : ");
    builder_.graph.body.nodes.back().location = builder_.graph.AddLocation(
        {.module = colon == std::string::npos ? nullptr : ReadModules(line.substr(colon + 3))});
  }

  static std::shared_ptr<const ir::ModuleCall> ReadModules(const std::string& text) {
    std::shared_ptr<const ir::ModuleCall> innermost;
    std::istringstream modules(text);
    for (std::string module; std::getline(modules, module, ',');) {
      std::istringstream words(module);
      ir::ModuleCall call;
      words >> call.path >> call.type;
      call.caller = innermost;
      if (const size_t at = call.path.find('@'); at != std::string::npos) {
        call.number = std::stoi(call.path.substr(at + 1));
        call.path.resize(at);
      }
      innermost = std::make_shared<const ir::ModuleCall>(std::move(call));
    }
    return innermost;
  }

  ir::ValueId ValueOf(const std::string& name) {
    const auto [found, is_new] = values_.try_emplace(name);
    if (!is_new) return found->second;
    if (name[0] == 'c') {
      found->second = builder_.Weight("", {1}, name.substr(0, 2) + "  ");  // `ca` and `ca2` have equal bytes
      builder_.graph.weights.back().constant = true;
    } else if (name.find('.') != std::string::npos) {
      found->second = builder_.Weight(name, {1}, "    ");
    } else {
      found->second = builder_.Input(name, {2});
    }
    return found->second;
  }

  passes::GraphBuilder builder_;
  std::map<std::string, ir::ValueId> values_;
};

// Prints each function as "Linear(input, weight) -> output: /MatMul = MatMul(input, weight) ...", and then the graph.
class ModularText {
 public:
  explicit ModularText(const ModularGraph& model) : graph_(model.graph) {
    for (const Function& function : model.functions) {
      text_ += function.op + "(";
      std::string names;
      for (const ir::ValueId input : function.body.inputs) Join(graph_.value(input).name, &names);
      text_ += names + ")" + Outputs(function.body) + "\n";
      Nodes(function.body, "  ");
    }
    text_ += "graph" + Outputs(graph_.body) + "\n";
    Nodes(graph_.body, "  ");
  }
  const std::string& text() const { return text_; }

 private:
  static void Join(const std::string& name, std::string* names) { *names += (names->empty() ? "" : ", ") + name; }

  std::string Outputs(const ir::Block& block) const {
    std::string names;
    for (const ir::Arg& output : block.outputs) Join(graph_.value(*output.value()).name, &names);
    return " -> " + names;
  }

  void Nodes(const ir::Block& block, const std::string& indent) {
    for (const ir::Node& node : block.nodes) {
      std::string made;
      for (const ir::ValueId output : node.outputs) Join(graph_.value(output).name, &made);
      std::string taken;
      for (const ir::Arg& input : node.inputs) Join(graph_.value(*input.value()).name, &taken);
      text_ += indent + made + " = " + node.op.text() + "(" + taken + ")\n";
      for (const ir::Block& inner : node.blocks) {
        text_ += indent + "{" + Outputs(inner) + "\n";
        Nodes(inner, indent + "  ");
      }
    }
  }

  const ir::Graph& graph_;
  std::string text_;
};

}  // namespace onnxport::functions

#endif  // ONNXPORT_RUNTIME_TESTING_MODULAR_PROGRAM_H_
