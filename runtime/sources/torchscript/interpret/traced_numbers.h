// Replaces integers that are constants in a trace by computations of the sizes that they came from.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_TRACED_NUMBERS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_TRACED_NUMBERS_H_

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/sources/fit/number_fit.h"
#include "runtime/sources/torchscript/compare/compare_traces.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {

// The result of comparing traces.
struct TracedNumbers {
  DifferentNumbers numbers;
  std::vector<AxisSizes> sizes;    // of each trace
  std::vector<std::string> files;  // their names, for messages
};

// Finds the computations while the program is walked, from the named axes and the sizes of earlier tensors, which are
// expressions of these axes.
class NumberMaker {
 public:
  // Both must outlive this; `traced` may be null.
  NumberMaker(const TracedNumbers* traced, trace::Tracer* tracer) : traced_(traced), tracer_(*tracer) {}

  // Returns true if the integer of the code differs between the traces.
  bool IsMade(const Expr& literal) const { return traced_ && traced_->numbers.contains(&literal); }
  // Returns the value of such an integer. It is a failure if no computation gives it, or more than one does.
  Value Make(const Expr& literal);

 private:
  void LookAtSizes();
  void LookAtSizes(ir::ValueId tensor);
  std::optional<fit::Observed> ObservedOf(const ir::Dim& size) const;
  ir::Dim SizeOf(const fit::Formula& formula) const;
  bool Equal(const ir::Dim& a, const ir::Dim& b) const;
  // Finds a tensor with that size; None if there is none.
  ir::Arg Find(const ir::Dim& size);
  std::string Seen(const fit::Observed& numbers) const;
  Value Fail(const DifferentNumber& number, const std::string& why);

  const TracedNumbers* traced_;
  trace::Tracer& tracer_;
  size_t inputs_seen_ = 0;
  size_t calls_seen_ = 0;
  std::unordered_set<std::string> texts_;  // of `known_`
  std::vector<ir::Dim> known_;
  std::vector<fit::Observed> observed_;  // parallel to `known_`
  // By numbers, and by the number of known sizes.
  std::map<std::pair<fit::Observed, size_t>, std::vector<fit::Formula>> candidates_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_TRACED_NUMBERS_H_
