// Internal to the Tracer.
#ifndef ONNXPORT_RUNTIME_TRACE_STATE_H_
#define ONNXPORT_RUNTIME_TRACE_STATE_H_

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/trace/functionalize/changes.h"
#include "runtime/trace/functionalize/functionalizer.h"
#include "runtime/trace/functionalize/layouts.h"
#include "runtime/trace/program_state.h"
#include "runtime/trace/record/recorder.h"
#include "runtime/trace/tracer.h"
#include "runtime/trace/unrolled.h"

namespace onnxport::trace {

struct Region::Rest {
  record::Recorder::Block block;
  functionalize::Changes changes;
  std::vector<record::Failure> failures;
  std::vector<std::string> remarks;
  size_t mark = 0;                                                    // values from here on were made in the region
  std::unordered_set<ir::ValueId> reads;                              // bases of older tensors that calls in it read
  std::vector<std::pair<ir::ValueId, ir::ValueId>> carried_writes;    // base, block input
  std::unordered_map<ir::ValueId, std::vector<ir::ValueId>> entered;  // see OpenRegion
};

struct Tracer::State {
  // The state of an open region, beside that which the parts keep themselves.
  struct OpenRegion {
    size_t mark = 0;
    size_t failures = 0;
    size_t reports = 0;  // of the recorder, when it began
    size_t remarks = 0;
    std::unordered_set<ir::ValueId> reads = {};
    std::vector<std::pair<ir::ValueId, ir::ValueId>> carried_writes = {};
    std::vector<std::pair<ir::ValueId, ir::ValueId>> entering = {};  // block input, its initial value
    // For a block input that holds tensors: the bases that it may share memory with at the start of an iteration. Links
    // that an iteration makes later do not count: a write that came before did not know of them.
    std::unordered_map<ir::ValueId, std::vector<ir::ValueId>> entered = {};
  };

  // An input or a weight: what may be state.
  struct StateTensor {
    std::string name;
    ir::ValueId id;
    bool input = false;   // of the graph
    bool weight = false;  // of the program
  };

  State(int opset, lowering::FreeSizes free_sizes, ir::Ranges ranges, lowering::Options options,
        ProgramState program_state)
      : recorder(opset, free_sizes, std::move(ranges), std::move(options)), program_state(std::move(program_state)) {}

  bool ReadArg(ir::Arg* arg, const std::string& reader);
  void NoteReads(const ir::Arg& arg);
  // Reports the use of poison. Returns true if an argument is failed.
  bool CheckArgs(const ir::Operator& op, const std::vector<ir::Arg>& args);
  // False for a call that changes the shape of a tensor in place where that cannot be followed.
  bool CheckReshape(const ir::Operator& op, const std::vector<ir::Arg>& args);
  // Why the call cannot be meant for an axis that is free: what a trace made of a loop over it.
  std::optional<std::string> WhyUnrolled(const ir::Operator& op, const std::vector<ir::Arg>& args);
  // Which side of an `if` runs when the number that the condition looks at is 0, where it is such a condition.
  std::optional<size_t> EmptySide(ir::ValueId condition) const;
  bool IsFailed(ir::ValueId id);
  // The type of a value or a host number; nothing for another host value.
  std::optional<ir::Value> TypeOf(const ir::Arg& arg);
  const ir::Value& TypeOfValue(ir::ValueId id);

  // ---- regions
  void Begin();
  Region End();
  // The calls that `make` makes, as the region left things, go to its end; after it they are undone like the others.
  void Append(Region* region, const std::function<void()>& make);
  // The failures and remarks of a region are the program's.
  void Commit(const Region& region);
  // The present value of a base, whatever may have written to it.
  ir::ValueId PresentOf(ir::ValueId base);
  void AddEnd(StateTensor end);
  // Null for another tensor.
  const StateTensor* EndOf(ir::ValueId id) const;
  // Reports where the tensor shares memory with another weight.
  bool CheckAlone(const StateTensor& end);
  // Makes an output of its present value. `input`: its place among the inputs.
  void AddPair(Tracer* tracer, const StateTensor& end, size_t input);
  // In the innermost block: any value of the type. Sizes that no input has are 1, so its own type may differ.
  std::optional<ir::Arg> Dummy(const ir::Value& type);
  // As a number, or as what an input of the graph has.
  ir::Arg SizeOfDummy(const ir::Dim& size);

  record::Recorder recorder;
  const ir::Graph& source = recorder.graph();
  functionalize::Layouts layouts{&recorder};
  functionalize::Functionalizer functionalizer{&recorder, &layouts};
  TracedSizes traced_sizes;
  std::unordered_map<const ir::TensorData*, ir::ValueId> weights;
  std::unordered_set<ir::ValueId> weight_ids;                     // the same ones
  std::vector<std::shared_ptr<const ir::TensorData>> input_data;  // of weights that are inputs
  std::unordered_map<const void*, ir::ValueId> storages;          // of weights
  std::unordered_map<ir::ValueId, Reason> poison;
  std::unordered_map<ir::ValueId, size_t> empty_sides;     // of comparisons, see empty_side.h
  std::unordered_map<ir::ValueId, ir::Value> stale_types;  // of views that a write left out of date
  std::unordered_map<std::string, ir::LocationId> locations;
  std::vector<OpenRegion> open;
  ProgramState program_state;
  std::vector<StateTensor> ends;                         // inputs first, in the order of the graph
  std::unordered_map<ir::ValueId, size_t> place_of_end;  // in `ends`, the first of a tensor with several names
  std::set<std::string> more_state;
  std::vector<StatePair> state_pairs;

 private:
  void Open(const Region& region);
  Region Close();
};

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_STATE_H_
