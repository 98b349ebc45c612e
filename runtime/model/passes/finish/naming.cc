#include "runtime/model/passes/finish/naming.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/base/name_set.h"
#include "runtime/base/text.h"
#include "runtime/base/text_map.h"
#include "runtime/ir/location.h"

namespace onnxport::passes {
namespace {

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// Returns a valid, short name without misleading characters. It nearly always equals `text`.
std::string Clean(std::string text) {
  text = WithoutHidden(std::move(text), '_');
  if (text.size() > kLongestName) {
    size_t end = kLongestName;
    while (end > 0 && IsContinuation(text[end])) --end;
    text.resize(end);
  }
  return text.empty() ? "value" : text;
}

class NameAllocator {
 public:
  explicit NameAllocator(size_t names) : used_(names) {}

  // Stores the name, or the next free one like it, in `place`, which must not move while names are claimed, because
  // there is no other copy. The next free suffix is stored by base. So a thousand nodes named `/Add` take a thousand
  // steps and not a million.
  template <typename Place>
  void Claim(std::string wanted, Place* place) {
    std::string name = Clean(std::move(wanted));
    if (used_.Contains(name)) name = NextLike(name);
    *place = std::move(name);
    used_.Insert(*place);
  }

 private:
  std::string NextLike(const std::string& name) {
    // Leaves room for the suffix. A shortened base may end within a character, which Clean corrects.
    const std::string base = name.size() + 12 > kLongestName ? Clean(name.substr(0, kLongestName - 12)) : name;
    std::string next;
    for (int64_t& number = *next_.Add(base, 0).first; next.empty() || used_.Contains(next);) {
      next = base;
      next += '_';
      next += std::to_string(++number);
    }
    return next;
  }

  NameSet used_;
  TextMap<int64_t> next_;
};

// Replaces the model's first names by the given ones.
void Override(const char* what, const char* option, const std::vector<std::string>& names,
              std::vector<ir::Port>* ports) {
  if (names.empty()) return;
  if (names.size() > ports->size()) {
    std::vector<std::string> own;
    for (const ir::Port& port : *ports) own.push_back(port.name);
    throw Error(Code::kBadNames, fmt::format("{} gives {} names; the model has {} {}s: {}", option, names.size(),
                                             ports->size(), what, fmt::join(own, ", ")));
  }
  for (size_t i = 0; i < names.size(); ++i) (*ports)[i].name = names[i];
}

void CheckNames(const char* option, const std::vector<std::string>& names, std::set<std::string_view>* seen) {
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty() || Clean(names[i]) != names[i]) {
      throw Error(
          Code::kBadNames,
          fmt::format(
              "{}: name {} is empty, longer than {} bytes, or not UTF-8 text without control and bidi characters",
              option, i + 1, kLongestName));
    }
    if (!seen->insert(names[i]).second) {
      throw Error(Code::kBadNames, fmt::format("{}: the name `{}` is given twice", option, names[i]));
    }
  }
}

// Given names are used unchanged, so they must not need a suffix.
void CheckDistinct(const ir::Graph& graph) {
  std::set<std::string_view> seen;
  for (const std::vector<ir::Port>* ports : {&graph.inputs, &graph.outputs}) {
    for (const ir::Port& port : *ports) {
      if (seen.insert(port.name).second) continue;
      throw Error(Code::kBadNames, fmt::format("two inputs or outputs would be named `{}`", port.name));
    }
  }
}

// ---- parameters

constexpr std::string_view kAndSoOn = "...";
constexpr size_t kMostListed = 8;
constexpr size_t kMostDigits = 9;

bool CountsOn(const std::vector<std::string>& names) { return !names.empty() && names.back() == kAndSoOn; }

// "w_07" -> "w_" and "07".
std::pair<std::string_view, std::string_view> SplitNumber(std::string_view name) {
  const size_t end = name.find_last_not_of("0123456789") + 1;
  return {name.substr(0, end), name.substr(end)};
}

// The names that are written out.
std::vector<std::string> WrittenOut(const NamingOptions& options) {
  std::vector<std::string> names = options.parameter_names;
  if (CountsOn(names)) names.pop_back();
  return names;
}

void CheckCounting(const NamingOptions& options) {
  if (!CountsOn(options.parameter_names)) return;
  const std::vector<std::string> names = WrittenOut(options);
  const std::string_view digits = names.empty() ? "" : SplitNumber(names.back()).second;
  if (!digits.empty() && digits.size() <= kMostDigits) return;
  throw Error(Code::kBadNames,
              "<<parameter_names>>: `...` counts on from a name that ends with a number, as in learned_0,...");
}

// As many names as needed, if the names continue counting.
std::vector<std::string> NamesFor(const NamingOptions& options, size_t count) {
  std::vector<std::string> names = WrittenOut(options);
  if (!CountsOn(options.parameter_names)) return names;
  const std::string last = names.back();
  const auto [stem, digits] = SplitNumber(last);
  int64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  while (names.size() < count) names.push_back(fmt::format("{}{:0{}}", stem, ++number, digits.size()));
  return names;
}

// The names of the program's state that the graph has, in the order of the program. The pointers are into the graph, so
// that names can be set. State that the graph lacks is skipped, so that it uses up no name.
std::vector<std::string*> StateOf(ir::Graph* graph, const NamingOptions& options) {
  std::unordered_map<std::string, std::string*> known;
  for (ir::Weight& weight : graph->weights) {
    if (!weight.constant) known.emplace(weight.name, &weight.name);
  }
  for (size_t i = options.first_weight_input; i < graph->inputs.size(); ++i)
    known.emplace(graph->inputs[i].name, &graph->inputs[i].name);
  std::vector<std::string*> found;
  for (const std::string& name : options.state) {
    if (const auto place = known.find(name); place != known.end()) found.push_back(place->second);
  }
  return found;
}

void NameState(ir::Graph* graph, const NamingOptions& options) {
  if (options.parameter_names.empty()) return;
  const std::vector<std::string*> state = StateOf(graph, options);
  const std::vector<std::string> names = NamesFor(options, state.size());
  if (names.size() > state.size()) {
    std::vector<std::string> own;
    for (size_t i = 0; i < std::min(state.size(), kMostListed); ++i) own.push_back(*state[i]);
    throw Error(Code::kBadNames, fmt::format("<<parameter_names>> gives {} names; the model has {} parameters and "
                                             "buffers: {}{}",
                                             names.size(), state.size(), fmt::join(own, ", "),
                                             own.size() < state.size() ? ", ..." : ""));
  }
  for (size_t i = 0; i < names.size(); ++i) *state[i] = names[i];
  std::unordered_map<std::string_view, int> uses;
  for (const ir::Weight& weight : graph->weights) ++uses[weight.name];
  for (const std::vector<ir::Port>* ports : {&graph->inputs, &graph->outputs})
    for (const ir::Port& port : *ports) ++uses[port.name];
  for (const std::string& name : names) {
    if (uses[name] == 1) continue;
    throw Error(Code::kBadNames, fmt::format("<<parameter_names>>: something else would be named `{}`, too", name));
  }
}

// "layer1.0.conv1" and "com.microsoft.Gelu" -> "/layer1/0/conv1/Gelu"
std::string NodeName(std::string_view module_path, const std::string& op) {
  std::string name;
  if (!module_path.empty()) {
    name += '/';
    name += module_path;
    std::ranges::replace(name, '.', '/');
  }
  name += '/';
  name += std::string_view(op).substr(op.rfind('.') + 1);
  return name;
}

class Namer {
 public:
  explicit Namer(ir::Graph* graph)
      : graph_(graph),
        allocator_(graph->values.size() + graph->body.nodes.size()),  // a few more, with nodes of blocks
        named_(graph->values.size()) {}

  void Run() {
    for (ir::Port& port : graph_->inputs) NamePort(&port);
    for (ir::Port& port : graph_->outputs) NamePort(&port);
    for (const ir::Weight& weight : graph_->weights) {
      if (!weight.name.empty()) SetName(weight.value, weight.name);
    }
    for (ir::Weight& weight : graph_->weights) {
      if (!weight.name.empty()) continue;
      SetName(weight.value, "constant");
      weight.name = graph_->value(weight.value).name;
    }
    NameBlock(&graph_->body);
  }

 private:
  void NamePort(ir::Port* port) {
    if (const ir::ValueId* id = port->value.value()) {
      SetName(*id, port->name);
      port->name = graph_->value(*id).name;
    }
  }

  void NameBlock(ir::Block* block) {
    for (ir::Node& node : block->nodes) {
      NameNode(&node);
      for (ir::Block& inner : node.blocks) {
        for (size_t i = 0; i < inner.inputs.size(); ++i)
          SetName(inner.inputs[i], fmt::format("{}_{}", node.name, InputName(i)));
        NameBlock(&inner);
      }
    }
  }

  // The inputs of a Loop's body: iteration, condition, carried values.
  static std::string InputName(size_t i) {
    return i == 0 ? "iteration" : i == 1 ? "condition" : fmt::format("carried_{}", i - 2);
  }

  void NameNode(ir::Node* node) {
    allocator_.Claim(NodeName(ModulePath(graph_->location(node->location)), node->op), &node->name);
    for (size_t i = 0; i < node->outputs.size(); ++i) {
      if (node->outputs[i] == ir::ValueId::kNone) continue;
      std::string name = node->name;
      name += "_output_";
      SetName(node->outputs[i], name += std::to_string(i));
    }
  }

  // Once per value: an output of the graph is named before its node.
  void SetName(ir::ValueId id, std::string wanted) {
    if (std::exchange(named_[static_cast<size_t>(id)], 1)) return;
    allocator_.Claim(std::move(wanted), &graph_->value(id).name);
  }

  ir::Graph* graph_;
  NameAllocator allocator_;
  std::vector<char> named_;
};

}  // namespace

void CheckNaming(const NamingOptions& options) {
  std::set<std::string_view> seen;
  CheckNames("<<input_names>>", options.input_names, &seen);
  CheckNames("<<output_names>>", options.output_names, &seen);
  CheckCounting(options);
  CheckNames("<<parameter_names>>", WrittenOut(options), &seen);
}

void NamePorts(ir::Graph* graph, const NamingOptions& options) {
  CheckNaming(options);
  Override("input", "<<input_names>>", options.input_names, &graph->inputs);
  Override("output", "<<output_names>>", options.output_names, &graph->outputs);
  if (!options.input_names.empty() || !options.output_names.empty()) CheckDistinct(*graph);
  NameState(graph, options);
}

void NameValues(ir::Graph* graph) { Namer(graph).Run(); }

}  // namespace onnxport::passes
