#include "runtime/model/passes/attention/split_einsums.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/model/passes/graph/node_maker.h"
#include "runtime/model/passes/graph/rewrite.h"
#include "runtime/onnx/permutation.h"

namespace onnxport::passes {
namespace {

using ir::Dims;
using ir::InputAt;
using ir::Node;
using ir::ValueId;

constexpr size_t kEinsumAxes = 4;
// Between the scores and their Softmax: a scale, a cap and a mask.
constexpr int kMostBetweenScores = 8;

// The letters of "bqhd,bkhd->bhqk"; of a product that is none of a batch of matrices, nothing.
struct EinsumEquation {
  std::string left;
  std::string right;
  std::string result;
};

// A letter for each axis, all of them different.
bool AreFourLetters(std::string_view letters) {
  if (letters.size() != kEinsumAxes || letters.find('.') != letters.npos) return false;
  std::string sorted(letters);
  std::ranges::sort(sorted);
  return std::ranges::adjacent_find(sorted) == sorted.end();
}

std::optional<EinsumEquation> EinsumEquationOf(const Node& node) {
  const ir::Arg* value = FindAttribute(node, "equation");
  const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(&value->v);
  if (text == nullptr || node.inputs.size() != 2) return std::nullopt;
  std::string letters = *text;
  std::erase(letters, ' ');
  const size_t comma = letters.find(',');
  const size_t arrow = letters.find("->");
  if (comma == letters.npos || arrow == letters.npos || arrow < comma) return std::nullopt;
  EinsumEquation equation = {letters.substr(0, comma), letters.substr(comma + 1, arrow - comma - 1),
                             letters.substr(arrow + 2)};
  const bool fits = AreFourLetters(equation.left) && AreFourLetters(equation.right) && AreFourLetters(equation.result);
  return fits ? std::optional(equation) : std::nullopt;
}

// [batch, heads, rows, columns] = [batch, heads, rows, summed] x [batch, heads, columns, summed], as letters.
struct EinsumMatrices {
  std::string left;
  std::string right;  // as MatMul takes it: [batch, heads, summed, columns]
  std::string result;
};

// `guide`: one of the equation's parts, which has the batch in order.
std::optional<EinsumMatrices> EinsumMatricesOf(const EinsumEquation& equation, const std::string& guide) {
  std::string batch;
  std::string rows;
  std::string columns;
  std::string summed;
  const auto has = [](const std::string& letters, char letter) { return letters.find(letter) != letters.npos; };
  for (const char letter : guide) {
    if (has(equation.left, letter) && has(equation.right, letter) && has(equation.result, letter)) batch += letter;
  }
  for (const char letter : equation.left) {
    if (has(batch, letter)) continue;
    (has(equation.result, letter) ? rows : summed) += letter;
  }
  for (const char letter : equation.right) {
    if (!has(batch, letter) && has(equation.result, letter)) columns += letter;
  }
  // An axis that one operand alone has and the result has not would be a sum of its own.
  if (batch.size() != 2 || rows.size() != 1 || columns.size() != 1 || summed.size() != 1 ||
      !has(equation.right, summed[0]))
    return std::nullopt;
  return EinsumMatrices{batch + rows + summed, batch + summed + columns, batch + rows + columns};
}

// The permutation that turns axes `from` into axes `to`.
onnx_ops::Perm LettersPerm(const std::string& from, const std::string& to) {
  onnx_ops::Perm perm;
  for (const char letter : to) perm.push_back(static_cast<int64_t>(from.find(letter)));
  return perm;
}

struct EinsumProduct {
  EinsumEquation equation;  // of operands in MatMul's order
  EinsumMatrices matrices;
  ValueId left;
  ValueId right;
};

class EinsumSplitter {
 public:
  explicit EinsumSplitter(ir::Graph* graph) : graph_(graph), producers_(*graph), uses_(*graph), make_(graph) {}

  bool Run() {
    std::map<size_t, EinsumProduct> products;  // by the Einsum's index
    for (size_t i = 0; i < graph_->body.nodes.size(); ++i) indices_[&graph_->body.nodes[i]] = i;
    for (size_t i = 0; i < graph_->body.nodes.size(); ++i) FindPair(i, &products);
    for (const auto& [index, product] : products) Split(index, product);
    make_.Insert();
    return !products.empty();
  }

 private:
  // Those of the product with the values at `index`, and of the scores before it.
  void FindPair(size_t index, std::map<size_t, EinsumProduct>* products) const {
    const Node& node = graph_->body.nodes[index];
    for (const size_t left : {0, 1}) {
      const Node* softmax = Step(InputAt(node, left));
      if (node.op != "Einsum" || softmax == nullptr || softmax->op != "Softmax") continue;
      const Node* scores = ScoresOf(InputAt(*softmax, 0), kMostBetweenScores);
      if (scores == nullptr) continue;
      const auto values = ProductOf(node, left, false);
      auto found = ProductOf(*scores, 0, true);
      if (!found) found = ProductOf(*scores, 1, true);
      if (!values || !found) continue;
      products->emplace(index, *values);
      products->emplace(indices_.at(scores), *found);
    }
  }

  // The node that computes the value for one other node alone.
  const Node* Step(ValueId id) const {
    if (id == ValueId::kNone || !uses_.IsForOneNode(id)) return nullptr;
    const Node* node = producers_.Of(id);
    return node != nullptr && indices_.contains(node) ? node : nullptr;
  }

  const Node* ScoresOf(ValueId id, int most) const {
    const Node* node = most == 0 ? nullptr : Step(id);
    if (node == nullptr || node->op == "Einsum") return node;
    const bool between =
        node->op == "Mul" || node->op == "Div" || node->op == "Add" || node->op == "Where" || node->op == "Tanh";
    if (!between) return nullptr;
    for (size_t i = 0; i < node->inputs.size(); ++i) {
      if (const Node* found = ScoresOf(InputAt(*node, i), most - 1)) return found;
    }
    return nullptr;
  }

  // With the operand at `left` as that of the rows. Scores are [.., rows, columns] as they are, and what Softmax gives
  // is [.., rows, summed], since that is along the last axis.
  std::optional<EinsumProduct> ProductOf(const Node& node, size_t left, bool is_scores) const {
    auto equation = EinsumEquationOf(node);
    if (!equation) return std::nullopt;
    if (left == 1) std::swap(equation->left, equation->right);
    const auto matrices = EinsumMatricesOf(*equation, is_scores ? equation->result : equation->left);
    if (!matrices) return std::nullopt;
    const bool straight = is_scores ? matrices->result == equation->result : matrices->left == equation->left;
    const EinsumProduct product = {*equation, *matrices, InputAt(node, left), InputAt(node, 1 - left)};
    return straight && SameSizes(product, node.outputs[0]) ? std::optional(product) : std::nullopt;
  }

  // A letter is one size wherever it stands: nothing is broadcast.
  bool SameSizes(const EinsumProduct& product, ValueId result) const {
    std::map<char, ir::Dim> sizes;
    for (const auto& [letters, id] :
         {std::pair(product.equation.left, product.left), std::pair(product.equation.right, product.right),
          std::pair(product.equation.result, result)}) {
      const std::optional<Dims>& dims = graph_->value(id).dims;
      if (!dims || dims->size() != kEinsumAxes) return false;
      for (size_t i = 0; i < kEinsumAxes; ++i) {
        if (!(sizes.try_emplace(letters[i], (*dims)[i]).first->second == (*dims)[i])) return false;
      }
    }
    return true;
  }

  void Split(size_t index, const EinsumProduct& product) {
    make_.GoTo(index);
    const auto& [equation, matrices, left, right] = product;
    const ValueId a = make_.Transposed(left, LettersPerm(equation.left, matrices.left));
    const ValueId b = make_.Transposed(right, LettersPerm(equation.right, matrices.right));
    Node& node = graph_->body.nodes[index];
    node.attributes.clear();
    const onnx_ops::Perm back = LettersPerm(matrices.result, equation.result);
    if (std::ranges::is_sorted(back)) {
      node.op = "MatMul";
      node.inputs = {{a}, {b}};
      return;
    }
    const Dims& dims = *graph_->value(node.outputs[0]).dims;
    Dims result(kEinsumAxes);
    for (size_t i = 0; i < kEinsumAxes; ++i) result[static_cast<size_t>(back[i])] = dims[i];
    node.inputs = {{make_.Make("MatMul", {a, b}, std::move(result))}};
    node.op = "Transpose";
    node.attributes = {{"perm", onnx_ops::ToArg(back)}};
  }

  ir::Graph* graph_;
  const Producers producers_;
  const UseCounts uses_;
  std::map<const Node*, size_t> indices_;  // of the body's nodes
  NodeMaker make_;
};

}  // namespace

bool SplitEinsums(ir::Graph* graph) { return EinsumSplitter(graph).Run(); }

}  // namespace onnxport::passes
