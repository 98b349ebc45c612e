#include "runtime/model/functions/function_store.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "runtime/ir/join.h"
#include "runtime/model/functions/local_names.h"
#include "runtime/model/passes/graph/rewrite.h"

namespace onnxport::functions {
namespace {

using ir::ValueId;

// The package of a class without one, as in Python.
constexpr std::string_view kNoPackage = "__main__";

std::vector<ir::Arg> ToArgs(const std::vector<ValueId>& ids) {
  std::vector<ir::Arg> args(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) args[i].v = ids[i];
  return args;
}

// "torch.nn.modules.linear.Linear": a domain and a name.
std::string NameOf(const ir::ModuleCall& module) {
  std::string name = module.type;
  for (char& c : name) {
    if (c != '.' && c != '_' && std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  if (name.ends_with('.')) name += '_';
  const size_t dot = name.find_last_of('.');
  if (dot == std::string::npos) return std::string(kNoPackage) + "." + name;
  return dot == 0 ? std::string(kNoPackage) + name : name;
}

}  // namespace

FunctionStore::FunctionStore(ModularGraph* model, const std::vector<Origin>& origins)
    : model_(*model), origins_(origins) {
  for (const ir::Value& value : model->graph.values) {
    if (!value.name.empty()) names_.Take(value.name);  // otherwise nothing uses it any more
  }
  passes::ForEachNode(model->graph.body, [this](const ir::Node& node) {
    names_.Take(node.name);
    ops_.insert(node.op);
  });
}

ir::Node FunctionStore::Call(const std::shared_ptr<const ir::ModuleCall>& module, std::vector<ir::Node> nodes,
                             std::vector<ValueId> outputs) {
  Body body = Describe(model_.graph, origins_, std::move(nodes), std::move(outputs));
  ir::Node call{.op = {},
                .inputs = ToArgs(body.inputs),
                .attributes = {},
                .outputs = body.outputs,
                .blocks = {},
                .location = model_.graph.AddLocation({.module = module}),
                .name = names_.Take(PathName(module->path))};
  const auto [found, is_new] = by_key_.try_emplace(module->type + '\n' + body.key, model_.functions.size());
  const size_t number = found->second;
  if (is_new) {
    Add(module, std::move(body));
  } else {
    Generalize(number, body);
  }
  model_.functions[number].paths.push_back(module->path);
  call.op = model_.functions[number].op;
  return call;
}

void FunctionStore::Add(const std::shared_ptr<const ir::ModuleCall>& module, Body body) {
  ir::Graph& graph = model_.graph;
  std::unordered_map<ValueId, ValueId> own;
  // Copies: the values outside keep their names and sizes, while those of the function have the types that all its
  // calls have in common. Values that are made and used inside need no copy.
  for (const ValueId id : body.inputs) own.emplace(id, graph.AddValue(graph.value(id)));
  for (const ValueId id : body.outputs) own.emplace(id, graph.AddValue(graph.value(id)));
  ir::Block block{.inputs = body.inputs, .nodes = std::move(body.nodes), .outputs = ToArgs(body.outputs)};
  std::vector<Origin> origins;
  for (ValueId& input : block.inputs) {
    origins.push_back(origins_[static_cast<size_t>(input)]);
    input = own[input];
  }
  ReplaceValues(own, &block);
  for (ValueId& id : body.values) {
    if (const auto replaced = own.find(id); replaced != own.end()) id = replaced->second;
  }
  NameLocally(module->path, origins, &block, &graph);
  values_.push_back(std::move(body.values));
  model_.functions.push_back({.op = ClaimName(*module), .body = std::move(block), .module = module, .paths = {}});
}

// A size or type that differs between calls becomes unknown in the function.
void FunctionStore::Generalize(size_t function, const Body& body) {
  for (size_t i = 0; i < body.values.size(); ++i) {
    ir::Value& value = model_.graph.value(values_[function][i]);
    std::string why_not;
    const auto joined = ir::Join(value, model_.graph.value(body.values[i]), &why_not);
    value.dims = joined ? joined->dims : std::nullopt;
  }
}

std::string FunctionStore::ClaimName(const ir::ModuleCall& module) {
  const std::string name = NameOf(module);
  for (int& variant = variants_[name];;) {
    std::string numbered = ++variant == 1 ? name : name + "_" + std::to_string(variant);
    if (ops_.insert(numbered).second) return numbered;
  }
}

}  // namespace onnxport::functions
