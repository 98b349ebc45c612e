// Internal to the Tracer and its parts.
#ifndef ONNXPORT_RUNTIME_TRACE_STATE_H_
#define ONNXPORT_RUNTIME_TRACE_STATE_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/trace/functionalize/aliases.h"
#include "runtime/trace/functionalize/changes.h"
#include "runtime/trace/functionalize/functionalizer.h"
#include "runtime/trace/functionalize/layouts.h"
#include "runtime/trace/kept_state.h"
#include "runtime/trace/program_state.h"
#include "runtime/trace/record/recorder.h"
#include "runtime/trace/regions.h"
#include "runtime/trace/unrolled.h"

namespace onnxport::trace {

struct Region::Rest {
  record::Recorder::Block block;
  functionalize::Changes changes;
  std::vector<record::Failure> failures;
  std::vector<std::string> remarks;
  size_t mark = 0;                                                    // values from here on were made in the region
  std::unordered_set<ir::ValueId> reads;                              // bases of older tensors that its calls read
  std::vector<CarriedIdentity> carried_identities;                    // see Regions::CarryWrites
  std::vector<std::pair<ir::ValueId, ir::ValueId>> carried_writes;    // base, block input
  std::unordered_map<ir::ValueId, std::vector<ir::ValueId>> entered;  // see Regions::Entered
};

struct State {
  State(int opset, lowering::FreeSizes free_sizes, ir::Ranges ranges, lowering::Options options,
        ProgramState program_state)
      : opset(opset),
        recorder(opset, free_sizes, std::move(ranges), std::move(options)),
        program_state(std::move(program_state)) {}

  bool ReadArg(ir::Arg* arg, const std::string& reader);
  // Reports the use of poison. Returns true if an argument has failed.
  bool CheckArgs(const ir::Operator& op, const std::vector<ir::Arg>& args);
  // False for a call that changes the shape of a tensor in place, if that cannot be followed.
  bool CheckReshape(const ir::Operator& op, const std::vector<ir::Arg>& args);
  // Says why the call cannot be right for a free axis: the trace unrolled a loop over the axis.
  std::optional<std::string> WhyUnrolled(const ir::Operator& op, const std::vector<ir::Arg>& args);
  // For a condition that compares a number with 0: which side of an `if` runs when the number is 0.
  std::optional<size_t> EmptySide(ir::ValueId condition) const;
  bool IsFailed(ir::ValueId id);
  // The type of a value or a host number; nothing for another host value.
  std::optional<ir::Value> TypeOf(const ir::Arg& arg);
  const ir::Value& TypeOfValue(ir::ValueId id);

  const int opset;
  record::Recorder recorder;
  const ir::Graph& source = recorder.graph();
  record::Places& places = recorder.places();
  record::Findings& findings = recorder.findings();
  functionalize::Layouts layouts{&recorder};
  functionalize::Functionalizer functionalizer{&recorder, &layouts};
  functionalize::Aliases& aliases = functionalizer.aliases();
  Regions regions{this};
  KeptState kept_state{this};
  TracedSizes traced_sizes;
  std::unordered_map<const ir::TensorData*, ir::ValueId> weights;
  std::unordered_set<ir::ValueId> weight_ids;                     // the same ones
  std::vector<std::shared_ptr<const ir::TensorData>> input_data;  // of weights that are inputs
  std::unordered_map<const void*, ir::ValueId> storages;          // storages of weights
  std::unordered_map<ir::ValueId, Reason> poison;
  std::unordered_map<ir::ValueId, size_t> empty_sides;     // for comparisons, see empty_side.h
  std::unordered_map<ir::ValueId, ir::Value> stale_types;  // types of views that a write made out of date
  // Tensors that a loop begins with. An iteration leaves one in another layout.
  std::unordered_set<ir::ValueId> other_layouts;
  // The same: nobody knows after which iterations it still is this tensor.
  std::unordered_set<ir::ValueId> other_identities;
  ProgramState program_state;
};

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_STATE_H_
