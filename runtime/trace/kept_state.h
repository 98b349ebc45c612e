// The state that a program leaves behind for its next call: which tensors have it, and what they become.
#ifndef ONNXPORT_RUNTIME_TRACE_KEPT_STATE_H_
#define ONNXPORT_RUNTIME_TRACE_KEPT_STATE_H_

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/trace/program_state.h"

namespace onnxport::trace {

struct State;  // of a trace; internal to it

class KeptState {
 public:
  // An input or a weight: what may be state.
  struct Tensor {
    std::string name;
    ir::ValueId id;
    bool input = false;   // of the graph
    bool weight = false;  // of the program
  };

  explicit KeptState(State* state) : state_(*state) {}
  KeptState(const KeptState&) = delete;

  // Inputs first, in the order of the graph.
  void Add(Tensor tensor);

  // After the outputs: the values that inputs and weights hold when the program has ended, where the file states them,
  // or an attribute was set. Writes of calls are known already. All at once, as one may become what another one was.
  void Become(const std::vector<std::pair<ir::ValueId, ir::Arg>>& values);
  // Returns true if a write to one could change the other.
  bool MayShareMemory(ir::ValueId a, ir::ValueId b) const;

  // The present values of the tensors that were written to become outputs, by `add_output`, where state is kept.
  void End(const std::function<void(const std::string& name, ir::ValueId value)>& add_output);
  // After End: weights that were written to and are no inputs yet, to walk again with.
  const std::set<std::string>& more() const { return more_; }
  const std::vector<StatePair>& pairs() const { return pairs_; }

 private:
  // Null for another tensor.
  const Tensor* Find(ir::ValueId id) const;
  // Reports where the tensor shares memory with another weight.
  bool CheckAlone(const Tensor& tensor);

  State& state_;
  std::vector<Tensor> tensors_;
  std::unordered_map<ir::ValueId, size_t> places_;  // in `tensors_`, the first of one with several names
  std::set<std::string> more_;
  std::vector<StatePair> pairs_;
};

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_KEPT_STATE_H_
