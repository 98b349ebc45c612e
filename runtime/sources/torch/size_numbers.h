// Numbers that differ from run to run, as computations of the sizes that do.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCH_SIZE_NUMBERS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCH_SIZE_NUMBERS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/sources/fit/number_fit.h"

namespace onnxport::torch_export {

class SizeNumbers {
 public:
  // The graph gets the computations, where it ends; outlives this.
  explicit SizeNumbers(ir::Graph* graph) : graph_(graph) {}

  // An input's size may be any; a result's was computed.
  enum class Of : uint8_t { kInput, kResult };
  // A size of that tensor, as each run had it: what numbers are computed of, from here on.
  void Note(ir::ValueId tensor, size_t axis, fit::Observed sizes, Of of);

  // Nothing: no expression of the sizes gives them.
  std::optional<ir::Arg> Int(const fit::Observed& numbers);
  std::optional<ir::Arg> Floats(const std::vector<double>& values);

  // False: more runs should decide of what some number is computed.
  bool sure() const { return sure_; }

  // The place of the call that takes the numbers.
  ir::LocationId location = ir::LocationId::kNone;

 private:
  struct Known {
    ir::ValueId tensor;
    int64_t axis;
    Of of;
  };

  // Returns true if the size is an input's, or a sum or product of sizes before it. Other ones may be the same in few
  // runs and differ later: (n + 1)//2 and n//2 of an n that was never odd.
  bool IsPlain(size_t which);
  std::optional<ir::Arg> Ratios(const std::vector<double>& values);
  ir::ValueId Compute(ir::Instruction op, std::vector<ir::Arg> args, ir::ValueKind kind);

  ir::Graph* graph_;
  std::vector<fit::Observed> observed_;
  std::vector<Known> known_;
  std::map<size_t, bool> plain_;
  std::map<fit::Observed, ir::Arg> computed_;
  bool sure_ = true;
};

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_SIZE_NUMBERS_H_
