// Expressions of ONNX's operators, and where they are in a graph.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_PATTERN_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_PATTERN_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/model/passes/graph/constant_number.h"
#include "runtime/model/passes/graph/rewrite.h"

namespace onnxport::passes {

// Written as `Mul(x, Add(1, Erf(y)))`. A number matches a constant with one element, the nearest of its dtype. Operands
// of Add and Mul match in either order. `Reduce...` is that over the last axis, which it keeps. A name matches any
// value, and the same one wherever it stands.
struct Pattern {
  std::string name;  // of an operator when there are operands; empty: a number
  double number = 0;
  std::vector<Pattern> operands;

  // The text is one of the program's own: what is no pattern is a bug.
  static Pattern Parse(std::string_view text);
};

// A pattern and what names in it have to be: one of these patterns each, which may use further names.
struct PatternWithNames {
  std::vector<Pattern> forms;
  std::map<std::string, std::vector<Pattern>> names;
};

struct Match {
  std::map<std::string, ir::ValueId> names;
  std::set<const ir::Node*> nodes;  // that compute it
};

class Matcher {
 public:
  explicit Matcher(const ir::Graph& graph) : graph_(graph), producers_(graph) {}

  // How one of the forms gives the value; nothing when none does.
  std::optional<Match> Find(const PatternWithNames& pattern, const ir::Node& root) const;
  // The element of a constant float tensor with one element.
  std::optional<double> NumberOf(ir::ValueId id) const { return ConstantNumber(graph_, producers_, id); }

 private:
  struct Goal {
    const Pattern* pattern;
    ir::ValueId value;
  };
  bool Solve(const PatternWithNames& all, std::vector<Goal> goals, Match* match) const;
  bool SolveName(const PatternWithNames& all, const Goal& goal, const std::vector<Goal>& rest, Match* match) const;
  bool SolveNode(const PatternWithNames& all, const Goal& goal, const std::vector<Goal>& rest, Match* match) const;
  bool IsOverLastAxis(const ir::Node& node) const;

  const ir::Graph& graph_;
  const Producers producers_;
};

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_PATTERN_H_
