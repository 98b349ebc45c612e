// Patterns of ONNX operators, and their matches in a graph.
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

// Written as `Mul(x, Add(1, Erf(y)))`. A number matches a constant with one element that is the nearest number in its
// dtype. Operands of Add and Mul match in either order. `Reduce...` matches a reduction of the last axis that keeps it.
// A name matches any value; if it occurs twice, both must be the same value.
struct Pattern {
  std::string name;  // of an operator if there are operands; empty: a number
  double number = 0;
  std::vector<Pattern> operands;

  // `text` is part of the program, so a syntax error is a bug.
  static Pattern Parse(std::string_view text);
};

// A pattern, and for names in it the patterns that they must match. Those may use further names.
struct PatternWithNames {
  std::vector<Pattern> forms;
  std::map<std::string, std::vector<Pattern>> names;
};

struct Match {
  std::map<std::string, ir::ValueId> names;
  std::set<const ir::Node*> nodes;  // the nodes that compute it
};

class Matcher {
 public:
  explicit Matcher(const ir::Graph& graph) : graph_(graph), producers_(graph) {}

  // Returns the match with the first form that fits; nothing if none does.
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
