#include "runtime/model/passes/simplify/fuse_operators.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/model/passes/graph/nearest_node.h"
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

// The first row: `Gelu` of x, from opset 20 on, is any of the products of 0.5, x and e, in which e is one of the two
// sums. Operands of Add and Mul are tried both ways (pattern.h), so the texts need no mirror images, only other
// groupings.
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

// A match of a fusion, and why the operator cannot take its place.
class MatchCheck {
 public:
  explicit MatchCheck(const ir::Graph& graph) : graph_(graph), matcher_(graph), uses_(graph) {}

  std::optional<Match> Find(const PatternWithNames& pattern, const Node& root) const {
    return matcher_.Find(pattern, root);
  }
  std::optional<double> NumberOf(ValueId id) const { return matcher_.NumberOf(id); }

  // Empty where it can: nothing else uses what the operator will not give, and the sizes are those that it takes.
  std::string_view WhyUnfit(const Match& match, const Node& root) const {
    const ValueId x = match.names.at("x");
    if (!IsFloat32(x) || !IsFloat32(root.outputs[0])) return "it is not computed in float32";
    if (!IsWhole(match, root)) return "something else uses a value inside of it";
    if (!SameDims(graph_.value(x), graph_.value(root.outputs[0]))) return "its result has another shape than its value";
    if (!FitsNumbers(match))
      return "its eps is not above 0, or its last axis has one element or another number of them";
    const auto other = match.names.find("other");
    if (other != match.names.end() && !SameDims(graph_.value(x), graph_.value(other->second)))
      return "its two factors have two shapes";
    const bool fits = IsVectorOfLast(match, "scale") && IsVectorOfLast(match, "bias");
    return fits ? "" : "its scale or bias is no float32 of one axis with the size of the last one";
  }

 private:
  bool IsFloat32(ValueId id) const { return id != ValueId::kNone && graph_.value(id).dtype == ir::DType::kFloat32; }

  bool IsWhole(const Match& match, const Node& root) const {
    std::unordered_map<ValueId, int> used;
    for (const Node* node : match.nodes) {
      for (const ir::Arg& input : node->inputs) {
        if (input.value() != nullptr) ++used[*input.value()];
      }
    }
    return std::ranges::all_of(match.nodes, [&](const Node* node) {
      const ValueId output = node->outputs[0];
      return node == &root || (!uses_.IsBlockOutput(output) && uses_.Count(output) == used[output]);
    });
  }

  bool FitsNumbers(const Match& match) const {
    const ir::Value& x = graph_.value(match.names.at("x"));
    if (const auto eps = match.names.find("eps"); eps != match.names.end()) {
      const std::optional<double> number = NumberOf(eps->second);
      // One element has no variance, which ONNX Runtime refuses.
      if (!number || !(*number > 0) || x.dims->empty() || x.dims->back() == ir::Dim(1)) return false;
    }
    const auto count = match.names.find("count");
    if (count == match.names.end()) return true;
    const std::optional<double> number = NumberOf(count->second);
    const ir::Dim& last = x.dims->back();
    return number && last.is_number() && *number == static_cast<double>(last.number());
  }

  // Also where the operator has none.
  bool IsVectorOfLast(const Match& match, const char* name) const {
    const auto vector = match.names.find(name);
    if (vector == match.names.end()) return true;
    const ir::Value& x = graph_.value(match.names.at("x"));
    const ir::Value& value = graph_.value(vector->second);
    return value.dtype == x.dtype && value.dims && value.dims->size() == 1 && value.dims->front().is_number() &&
           value.dims->front() == x.dims->back();
  }

  const ir::Graph& graph_;
  const Matcher matcher_;
  const UseCounts uses_;
};

class Fuser {
 public:
  Fuser(const std::vector<Fusion>& fusions, ir::Graph* graph) : graph_(graph), check_(*graph) {
    for (const Fusion& fusion : fusions) {
      if (graph->opset >= fusion.opset) fusions_.emplace_back(&fusion, PatternOf(fusion));
    }
  }

  // Nodes are looked at as they were: what replaces them comes at the end.
  bool Run() {
    if (fusions_.empty()) return false;
    std::vector<Node*> roots;
    ForEachNode(graph_->body, [&](Node& node) {
      if (node.outputs.size() == 1 && node.outputs[0] != ValueId::kNone) roots.push_back(&node);
    });
    // The last first: a layer norm ends later than the root mean square that is part of it.
    std::ranges::for_each(roots.rbegin(), roots.rend(), [this](Node* node) { Visit(node); });
    for (auto& [node, fused] : fused_) *node = std::move(fused);
    return !fused_.empty();
  }

 private:
  void Visit(Node* root) {
    for (const auto& [fusion, pattern] : fusions_) {
      const std::optional<Match> match = check_.Find(pattern, *root);
      if (!match || IsTaken(*match) || !check_.WhyUnfit(*match, *root).empty()) continue;
      fused_.emplace_back(root, Fused(*fusion, *match, *root));
      taken_.insert(match->nodes.begin(), match->nodes.end());
      return;
    }
  }

  bool IsTaken(const Match& match) const {
    return std::ranges::any_of(match.nodes, [this](const Node* node) { return taken_.contains(node); });
  }

  Node Fused(const Fusion& fusion, const Match& match, const Node& root) const {
    Node node;
    node.op = fusion.op;
    for (const char* name : fusion.inputs) node.inputs.push_back({match.names.at(name)});
    node.attributes = fusion.attributes;
    if (const auto eps = match.names.find("eps"); eps != match.names.end())
      node.attributes.push_back({"epsilon", {*check_.NumberOf(eps->second)}});
    node.outputs = root.outputs;
    node.location = root.location;
    return node;
  }

  ir::Graph* graph_;
  const MatchCheck check_;
  std::vector<std::pair<const Fusion*, PatternWithNames>> fusions_;
  std::vector<std::pair<Node*, Node>> fused_;
  std::set<const Node*> taken_;
};

bool Fuse(const std::vector<Fusion>& fusions, ir::Graph* graph) {
  if (!Fuser(fusions, graph).Run()) return false;
  RemoveDead(graph);
  return true;
}

std::string WhyNone(const std::vector<Fusion>& fusions, std::string_view op, const ir::Graph& graph) {
  const MatchCheck check(graph);
  const PatternWithNames pattern = PatternOf(*std::ranges::find(fusions, op, &Fusion::op));
  return NearestNode(graph, [&](const Node& node) -> std::string_view {
    const bool is_single = node.outputs.size() == 1 && node.outputs[0] != ValueId::kNone;
    const std::optional<Match> match = is_single ? check.Find(pattern, node) : std::nullopt;
    return match ? check.WhyUnfit(*match, node) : "";
  });
}

}  // namespace

bool FuseOperators(ir::Graph* graph) { return Fuse(Fusions(), graph); }
bool FuseGatedUnits(ir::Graph* graph) { return Fuse(GatedUnits(), graph); }

std::string WhyNoRmsNorm(const ir::Graph& graph) { return WhyNone(Fusions(), "RMSNormalization", graph); }
std::string WhyNoGatedUnit(const ir::Graph& graph) { return WhyNone(GatedUnits(), "SwiGLU", graph); }

}  // namespace onnxport::passes
