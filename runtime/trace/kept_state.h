// The state that a program keeps for its next call: the tensors that hold it, and their new values.
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

namespace onnxport::functionalize {
class Aliases;
class Functionalizer;
}  // namespace onnxport::functionalize

namespace onnxport::record {
class Recorder;
}

namespace onnxport::trace {

class Reader;  // a part of a trace; internal to it

class KeptState {
 public:
  // An input or a weight that may hold state.
  struct Tensor {
    std::string name;
    ir::ValueId id;
    bool input = false;   // of the graph
    bool weight = false;  // of the program
  };

  // `kept`: state is kept as inputs and outputs (ProgramState).
  KeptState(bool kept, record::Recorder* recorder, functionalize::Functionalizer* functionalizer, Reader* reader);
  KeptState(const KeptState&) = delete;

  // Add inputs first, in the order of the graph.
  void Add(Tensor tensor);

  // Sets the values that inputs and weights have after the program, if the file states them or an attribute was set.
  // Writes of calls are known already. Call it once, after the outputs, because one value may be another one's old
  // value.
  void Become(const std::vector<std::pair<ir::ValueId, ir::Arg>>& values);
  // Returns true if a write to one could change the other.
  bool MayShareMemory(ir::ValueId a, ir::ValueId b) const;

  // If state is kept, makes the current values of written tensors outputs, with `add_output`.
  void End(const std::function<void(const std::string& name, ir::ValueId value)>& add_output);
  // After End: written weights that are not yet inputs. Walk again with them.
  const std::set<std::string>& more() const { return more_; }
  const std::vector<StatePair>& pairs() const { return pairs_; }

 private:
  // Null if the tensor cannot hold state.
  const Tensor* Find(ir::ValueId id) const;
  // Reports a tensor that shares memory with another weight.
  bool CheckAlone(const Tensor& tensor);

  const bool kept_;
  record::Recorder& recorder_;
  functionalize::Functionalizer& functionalizer_;
  functionalize::Aliases& aliases_;
  Reader& reader_;
  std::vector<Tensor> tensors_;
  std::unordered_map<ir::ValueId, size_t> places_;  // index in `tensors_`; the first one if a tensor has several names
  std::set<std::string> more_;
  std::vector<StatePair> pairs_;
};

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_KEPT_STATE_H_
