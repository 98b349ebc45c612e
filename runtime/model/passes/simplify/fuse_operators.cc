#include "runtime/model/passes/simplify/fuse_operators.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/model/passes/graph/pattern.h"
#include "runtime/model/passes/graph/remove_dead.h"
#include "runtime/model/passes/graph/rewrite.h"

namespace onnxport::passes {
namespace {

using ir::Node;
using ir::ValueId;
using Texts = std::vector<const char*>;

// The operator normalises or maps `x`. `scale` and `bias` are vectors for x's last axis, `other` has x's shape, `eps`
// is a positive number, `count` the size of the last axis.
struct Fusion {
  const char* op;
  int opset;  // the first that has it
  Texts inputs;
  std::vector<ir::Attribute> attributes;  // beside epsilon
  Texts forms;
  std::map<std::string, Texts> names;
};

// For example, the first row makes a `Gelu` of x, from opset 20 on, from a product of 0.5, x and e, where e is one of
// two sums. Operands of Add and Mul match in either order (pattern.h), so the patterns only list different groupings.
const std::vector<Fusion>& Fusions() {
  static const Texts kHalfProducts = {"Mul(Mul(0.5, x), e)", "Mul(0.5, Mul(x, e))", "Mul(x, Mul(0.5, e))"};
  static const Texts kRoots = {"Reciprocal(s)", "Div(1, s)", "Pow(v, -0.5)"};
  static const std::vector<Fusion> kFusions = {
      {.op = "Gelu",
       .opset = 20,
       .inputs = {"x"},
       .attributes = {},
       .forms = kHalfProducts,
       .names = {{"e", {"Add(1, Erf(Div(x, 1.4142135623730951)))", "Add(1, Erf(Mul(x, 0.7071067811865476)))"}}}},
      {.op = "Gelu",
       .opset = 20,
       .inputs = {"x"},
       .attributes = {{"approximate", {std::string("tanh")}}},
       .forms = kHalfProducts,
       .names = {{"e", {"Add(1, Tanh(t))"}},
                 {"t",
                  {"Mul(0.7978845608028654, Add(x, Mul(0.044715, c)))",
                   "Mul(Mul(0.7978845608028654, x), Add(1, Mul(Mul(0.044715, x), x)))",
                   "Mul(Mul(0.7978845608028654, x), Add(1, Mul(0.044715, q)))"}},
                 {"c", {"Pow(x, 3)", "Mul(x, q)"}},
                 {"q", {"Mul(x, x)", "Pow(x, 2)"}}}},
      {.op = "LayerNormalization",
       .opset = 17,
       .inputs = {"x", "scale", "bias"},
       .attributes = {{"axis", {int64_t{-1}}}},
       .forms = {"Add(bias, Mul(scale, n))"},
       .names = {{"n", {"Div(d, s)", "Mul(d, r)"}},
                 {"r", kRoots},
                 {"s", {"Sqrt(v)"}},
                 {"v", {"Add(eps, m)"}},
                 {"m", {"ReduceMean(q)", "Div(ReduceSum(q), count)"}},
                 {"q", {"Mul(d, d)", "Pow(d, 2)"}},
                 {"d", {"Sub(x, ReduceMean(x))"}}}},
      {.op = "RMSNormalization",
       .opset = 23,
       .inputs = {"x", "scale"},
       .attributes = {{"axis", {int64_t{-1}}}},
       .forms = {"Mul(scale, n)"},
       .names = {{"n", {"Div(x, s)", "Mul(x, r)"}},
                 {"r", kRoots},
                 {"s", {"Sqrt(v)"}},
                 {"v", {"Add(eps, ReduceMean(q))"}},
                 {"q", {"Mul(x, x)", "Pow(x, 2)"}}}},
  };
  return kFusions;
}

const std::vector<Fusion>& GatedUnits() {
  static const std::vector<Fusion> kGatedUnits = {{.op = "SwiGLU",
                                                   .opset = 28,
                                                   .inputs = {"x", "other"},
                                                   .attributes = {},
                                                   .forms = {"Mul(g, other)"},
                                                   .names = {{"g", {"Mul(x, Sigmoid(x))"}}}}};
  return kGatedUnits;
}

std::vector<Pattern> ParseAll(const Texts& texts) {
  std::vector<Pattern> patterns;
  for (const char* text : texts) patterns.push_back(Pattern::Parse(text));
  return patterns;
}

PatternWithNames PatternOf(const Fusion& fusion) {
  PatternWithNames pattern = {.forms = ParseAll(fusion.forms), .names = {}};
  for (const auto& [name, texts] : fusion.names) pattern.names.emplace(name, ParseAll(texts));
  return pattern;
}

class Fuser {
 public:
  Fuser(const std::vector<Fusion>& fusions, ir::Graph* graph) : graph_(graph), matcher_(*graph), uses_(*graph) {
    for (const Fusion& fusion : fusions) {
      if (graph->opset >= fusion.opset) fusions_.emplace_back(&fusion, PatternOf(fusion));
    }
  }

  // Matches use the original nodes; replacements come at the end.
  bool Run() {
    if (fusions_.empty()) return false;
    std::vector<Node*> roots;
    ForEachNode(graph_->body, [&](Node& node) {
      if (node.outputs.size() == 1 && IsFloat32(node.outputs[0])) roots.push_back(&node);
    });
    // The last first: a layer norm ends later than the root mean square that is part of it.
    std::ranges::for_each(roots.rbegin(), roots.rend(), [this](Node* node) { Visit(node); });
    for (auto& [node, fused] : fused_) *node = std::move(fused);
    return !fused_.empty();
  }

 private:
  bool IsFloat32(ValueId id) const { return id != ValueId::kNone && graph_->value(id).dtype == ir::DType::kFloat32; }

  void Visit(Node* root) {
    for (const auto& [fusion, pattern] : fusions_) {
      const std::optional<Match> match = matcher_.Find(pattern, *root);
      if (!match || !IsWhole(*match, *root) || !Fits(*match, *root)) continue;
      fused_.emplace_back(root, Fused(*fusion, *match, *root));
      taken_.insert(match->nodes.begin(), match->nodes.end());
      return;
    }
  }

  // Returns true if nothing else uses the values that the operator does not return, and no other match has taken them.
  bool IsWhole(const Match& match, const Node& root) const {
    std::unordered_map<ValueId, int> used;
    for (const Node* node : match.nodes) {
      if (taken_.contains(node)) return false;
      for (const ir::Arg& input : node->inputs) {
        if (input.value() != nullptr) ++used[*input.value()];
      }
    }
    return std::ranges::all_of(match.nodes, [&](const Node* node) {
      const ValueId output = node->outputs[0];
      return node == &root || (!uses_.IsBlockOutput(output) && uses_.Count(output) == used[output]);
    });
  }

  // Returns true if the sizes are valid for the operator.
  bool Fits(const Match& match, const Node& root) const {
    const ir::Value& x = graph_->value(match.names.at("x"));
    if (!IsFloat32(match.names.at("x")) || !SameDims(x, graph_->value(root.outputs[0]))) return false;
    if (const auto eps = match.names.find("eps"); eps != match.names.end()) {
      const std::optional<double> number = matcher_.NumberOf(eps->second);
      // One element has no variance, and ONNX Runtime refuses it.
      if (!number || !(*number > 0) || x.dims->empty() || x.dims->back() == ir::Dim(1)) return false;
    }
    if (const auto count = match.names.find("count"); count != match.names.end()) {
      const std::optional<double> number = matcher_.NumberOf(count->second);
      const ir::Dim& last = x.dims->back();
      if (!number || !last.is_number() || *number != static_cast<double>(last.number())) return false;
    }
    const auto other = match.names.find("other");
    if (other != match.names.end() && !SameDims(x, graph_->value(other->second))) return false;
    for (const char* name : {"scale", "bias"}) {
      const auto vector = match.names.find(name);
      if (vector == match.names.end()) continue;
      const ir::Value& value = graph_->value(vector->second);
      if (value.dtype != x.dtype || !value.dims || value.dims->size() != 1) return false;
      if (!value.dims->front().is_number() || !(value.dims->front() == x.dims->back())) return false;
    }
    return true;
  }

  Node Fused(const Fusion& fusion, const Match& match, const Node& root) const {
    Node node;
    node.op = fusion.op;
    for (const char* name : fusion.inputs) node.inputs.push_back({match.names.at(name)});
    node.attributes = fusion.attributes;
    if (const auto eps = match.names.find("eps"); eps != match.names.end())
      node.attributes.push_back({"epsilon", {*matcher_.NumberOf(eps->second)}});
    node.outputs = root.outputs;
    node.location = root.location;
    return node;
  }

  ir::Graph* graph_;
  const Matcher matcher_;
  const UseCounts uses_;
  std::vector<std::pair<const Fusion*, PatternWithNames>> fusions_;
  std::vector<std::pair<Node*, Node>> fused_;
  std::set<const Node*> taken_;
};

bool Fuse(const std::vector<Fusion>& fusions, ir::Graph* graph) {
  if (!Fuser(fusions, graph).Run()) return false;
  RemoveDead(graph);
  return true;
}

}  // namespace

bool FuseOperators(ir::Graph* graph) { return Fuse(Fusions(), graph); }
bool FuseGatedUnits(ir::Graph* graph) { return Fuse(GatedUnits(), graph); }

}  // namespace onnxport::passes
