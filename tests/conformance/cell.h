// One variation of a test, in PyTorch and in ONNX Runtime, and what came of it.
#ifndef ONNXPORT_TESTS_CONFORMANCE_CELL_H_
#define ONNXPORT_TESTS_CONFORMANCE_CELL_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/verify/ort/client.h"
#include "runtime/verify/ort/protocol.h"
#include "tests/conformance/case.h"
#include "tests/conformance/program.h"
#include "tests/conformance/variation.h"

namespace onnxport::conformance {

struct Outcome {
  enum class Kind {
    kOk,
    kPartly,    // agrees, but the exporter lacks a result; the text names it
    kRefused,   // by the exporter; the text says why
    kNoKernel,  // ONNX Runtime does not implement a valid node for this dtype; the text is the operator
    kNotRun,    // nothing here says whether the model is right; the text says what was tried
    kWrong,     // value, dtype or shape; the text says what differs
    kError,     // ONNX Runtime refuses the model or fails in it, or the exporter finds itself wrong ("internal error")
  };
  Kind kind = Kind::kOk;
  std::string text = {};
  // For kWrong and kError: see difference.h.
  std::string difference = {};
  uint32_t graph = 0;
};

// Where a test runs: at the opsets that it lists, and, unless it chose them, at the newest of them all that ONNX
// Runtime runs.
std::set<int> OpsetsOf(const Case& test);

// A call as an ONNX graph.
struct Exported {
  std::string refused;           // why there is none; empty: the rest holds
  ir::Graph graph;               // of its opset
  std::vector<bool> left_out;    // results that are not in the graph
  std::string lacking;           // those of them that PyTorch gives: "out1, out2"
  std::vector<size_t> run_ints;  // arguments whose ints are inputs of the graph
};

// A call in eager PyTorch with each round of values that it takes there.
class Cell {
 public:
  // `rounds`: at most that many of those in tensors.h.
  Cell(const Case& test, const Variation& variation, int rounds);

  // False when PyTorch refuses the call with ordinary values, or there are none: then it is no cell.
  bool exists() const { return !runs_.empty(); }
  // PyTorch's message then, in one line.
  const std::string& refusal() const { return refusal_; }
  // Returns whether another seed gives other results.
  bool IsRandom() const;
  const Call& call() const { return runs_[0].call; }

  // `run_ints`: the arguments whose ints are known only at run time. Throws what the exporter throws instead of
  // refusing.
  Exported Export(int opset, Sizes sizes = Sizes::kKnown, const std::vector<size_t>& run_ints = {}) const;
  // The same before the passes: all that the specs have a part in.
  Exported Lower(int opset, Sizes sizes, const std::vector<size_t>& run_ints) const;
  // Runs the graph with every round. ONNX's reference evaluator is the judge of a call that the variation made empty:
  // it follows ONNX's text also where there is nothing to compute.
  Outcome Run(const Exported& exported) const;
  // Always in ONNX's reference evaluator.
  Outcome RunInReference(const Exported& exported) const;
  // The two together.
  Outcome At(int opset, Sizes sizes = Sizes::kKnown, const std::vector<size_t>& run_ints = {}) const;

 private:
  struct Round {
    int number;
    Call call;
    std::vector<StatedResult> results;
  };
  std::vector<StatedResult> Stated() const;
  Outcome JudgeEmpty(const Exported& exported) const;
  Outcome RunWith(ort::Client* client, const Exported& exported) const;
  std::string Compare(const Round& round, const Exported& exported, const std::vector<ort::Tensor>& outputs) const;

  std::string BrokenRelation(const Round& round, const Exported& exported,
                             const std::vector<ort::Tensor>& outputs) const;

  const Case& test_;
  bool made_empty_ = false;
  std::vector<Round> runs_;
  std::string refusal_;
  // The sign of a zero is PyTorch's where values are moved, negated or chosen; what arithmetic gives differs between
  // PyTorch's own kernels.
  bool moves_ = false;
};

}  // namespace onnxport::conformance

#endif  // ONNXPORT_TESTS_CONFORMANCE_CELL_H_
