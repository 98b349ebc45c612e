#include "runtime/model/passes/graph/pattern.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "runtime/ir/read_node.h"
#include "runtime/onnx/op_facts.h"

namespace onnxport::passes {
namespace {

using ir::ValueId;

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), left_(text) {}

  Pattern Run() {
    Pattern pattern = Expression();
    if (!left_.empty()) Fail();
    return pattern;
  }

 private:
  Pattern Expression() {
    Pattern pattern;
    if (left_.empty()) Fail();
    if (std::isalpha(static_cast<unsigned char>(left_[0])) == 0) {
      pattern.number = Number();
      return pattern;
    }
    const size_t end = left_.find_first_of("(), ");
    pattern.name = left_.substr(0, end);
    left_.remove_prefix(pattern.name.size());
    if (!Take("(")) return pattern;
    do {
      pattern.operands.push_back(Expression());
    } while (Take(", "));
    if (!Take(")")) Fail();
    return pattern;
  }

  double Number() {
    double number = 0;
    const auto [end, error] = std::from_chars(left_.data(), left_.data() + left_.size(), number);
    if (error != std::errc()) Fail();
    left_.remove_prefix(static_cast<size_t>(end - left_.data()));
    return number;
  }

  bool Take(std::string_view token) {
    if (!left_.starts_with(token)) return false;
    left_.remove_prefix(token.size());
    return true;
  }

  [[noreturn]] void Fail() const {
    throw std::logic_error("no pattern: " + std::string(text_) + ", at " + std::string(left_));
  }

  std::string_view text_;
  std::string_view left_;
};

}  // namespace

Pattern Pattern::Parse(std::string_view text) { return Parser(text).Run(); }

std::optional<Match> Matcher::Find(const PatternWithNames& pattern, const ir::Node& root) const {
  for (const Pattern& form : pattern.forms) {
    if (form.name != root.op) continue;
    Match match;
    if (Solve(pattern, {{&form, root.outputs[0]}}, &match)) return match;
  }
  return std::nullopt;
}

// Solves the last goal first. If that fails, `match` is unchanged.
//
// This is backtracking, as in Prolog. A goal is a pattern and the value that it must match. A node becomes goals for
// its operands; a name with forms becomes a goal for one form after another. If the rest cannot be solved, the next
// order of operands or the next form is tried. Patterns have at most a dozen nodes, so this stays fast.
bool Matcher::Solve(const PatternWithNames& all, std::vector<Goal> goals, Match* match) const {
  if (goals.empty()) return true;
  const Goal goal = goals.back();
  goals.pop_back();
  if (goal.value == ValueId::kNone) return false;
  if (!goal.pattern->operands.empty()) return SolveNode(all, goal, goals, match);
  if (!goal.pattern->name.empty()) return SolveName(all, goal, goals, match);
  const std::optional<double> number = NumberOf(goal.value);
  const bool equal = graph_.value(goal.value).dtype == ir::DType::kFloat32
                         ? number && *number == static_cast<float>(goal.pattern->number)
                         : number && *number == goal.pattern->number;
  return equal && Solve(all, std::move(goals), match);
}

bool Matcher::SolveName(const PatternWithNames& all, const Goal& goal, const std::vector<Goal>& rest,
                        Match* match) const {
  // Bound before its forms are tried: in `Div(d, Sqrt(Mul(d, d)))` all three must be the same value.
  const auto [bound, is_new] = match->names.emplace(goal.pattern->name, goal.value);
  if (!is_new) return bound->second == goal.value && Solve(all, rest, match);
  const auto defined = all.names.find(goal.pattern->name);
  if (defined == all.names.end()) {
    if (Solve(all, rest, match)) return true;
  } else {
    for (const Pattern& form : defined->second) {
      std::vector<Goal> goals = rest;
      goals.push_back({&form, goal.value});
      if (Solve(all, std::move(goals), match)) return true;
    }
  }
  match->names.erase(goal.pattern->name);
  return false;
}

bool Matcher::SolveNode(const PatternWithNames& all, const Goal& goal, const std::vector<Goal>& rest,
                        Match* match) const {
  const ir::Node* node = producers_.Of(goal.value);
  const Pattern& pattern = *goal.pattern;
  if (node == nullptr || node->op != pattern.name || node->outputs.size() != 1) return false;
  const onnx_ops::OpFacts& facts = onnx_ops::Find(node->op.text());
  const bool reduces = facts.form == onnx_ops::Form::kReduction;
  if (reduces ? !IsOverLastAxis(*node) : node->inputs.size() != pattern.operands.size()) return false;
  const bool is_new = match->nodes.insert(node).second;
  const size_t count = pattern.operands.size();
  const size_t orders = facts.commutes ? 2 : 1;
  for (size_t order = 0; order < orders; ++order) {
    std::vector<Goal> goals = rest;
    for (size_t i = count; i-- > 0;)
      goals.push_back({&pattern.operands[i], InputAt(*node, order == 0 ? i : count - 1 - i)});
    if (Solve(all, std::move(goals), match)) return true;
  }
  if (is_new) match->nodes.erase(node);
  return false;
}

bool Matcher::IsOverLastAxis(const ir::Node& node) const {
  const std::optional<ir::Dims>& dims = graph_.value(node.outputs[0]).dims;
  if (!dims || dims->empty() || IntAttribute(node, "keepdims", 1) != 1) return false;
  std::optional<std::vector<int64_t>> axes = IntsAttribute(node, "axes");
  if (const ValueId id = InputAt(node, 1); !axes && id != ValueId::kNone) {
    const Rare<ir::Dims>& contents = graph_.value(id).contents;
    if (contents && contents->size() == 1 && contents->front().is_number()) axes = {contents->front().number()};
  }
  if (!axes || axes->size() != 1) return false;
  return axes->front() == -1 || axes->front() == std::ssize(*dims) - 1;
}

}  // namespace onnxport::passes
