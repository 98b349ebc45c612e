// Calls of a program, made one after another, become ONNX nodes at once. Each call is functionalised and lowered at the
// opset, and its results have types before the next call is made. So an interpreter can ask for ranks, sizes and
// dtypes, and fold conditions on them; only conditions known only at run time become If and Loop.
//
// Values are ValueIds of a source graph of ATen calls (with blocks), which is kept for printing. A tensor's id is its
// identity: in-place calls change what the id stands for, views share memory.
#ifndef ONNXPORT_RUNTIME_TRACE_TRACER_H_
#define ONNXPORT_RUNTIME_TRACE_TRACER_H_

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/control_flow.h"
#include "runtime/ir/graph.h"
#include "runtime/ir/stated.h"
#include "runtime/lowering/options.h"
#include "runtime/lowering/types/free_sizes.h"
#include "runtime/trace/functionalize/strides.h"
#include "runtime/trace/program_state.h"
#include "runtime/trace/record/failure.h"

namespace onnxport::trace {

// The trace between Begin and End: calls that are part of no graph yet, and their effects on older values.
struct Region {
  // Tensors that existed before and were written to (bases of storages): the value each has at the end of the region.
  struct Write {
    ir::ValueId base;
    ir::ValueId value;
    bool kept = false;  // it is what CarryWrites gave it: the region itself does not write to it
  };
  std::vector<Write> writes;
  bool doubts = false;  // it wrote to what may share memory with tensors that existed before
  bool failed = false;  // something in it could not be lowered

  struct Rest;
  std::shared_ptr<Rest> rest;  // the tracer's own: the calls themselves, and more
};

// The older tensors that the body of a loop writes to are known once it was traced, and carrying them may make it write
// to others. So it is traced again until nothing changes. `carried` are those that it was traced with
// (Tracer::CarryWrites), and become those that the region itself writes to. For example, a tensor that a variable held
// before it was carried is written to no longer. Returns whether they are others.
bool UpdateWrites(const Region& body, std::vector<Region::Write>* carried);

// The only part of the layers below that a source of programs (`.pt2`, `.pt`, LibTorch) sees; hence its many functions.
// They stand in the order of use: inputs, calls, If and Loop, the graph.
class Tracer {
 public:
  // `ranges`: of the symbols of the inputs. One that has none is at least 1.
  explicit Tracer(int opset, lowering::FreeSizes free_sizes = lowering::FreeSizes::kAsStated, ir::Ranges ranges = {},
                  lowering::Options options = {}, ProgramState program_state = {});
  ~Tracer();
  Tracer(const Tracer&) = delete;

  // ---- the ends of the graph
  // kTensor, kSequence (of tensors of that type), or kInt, kFloat, kBool for a number given at run time. A tensor is
  // row-major unless it has strides.
  ir::ValueId AddInput(const std::string& name, ir::Value type);
  // The size that the axis of a named dimension had when the program was traced.
  void NoteTracedSize(const std::string& symbol, int64_t size);
  struct WeightFacts {
    bool row_major = false;  // the source program is known to keep its elements in this order
    bool made_anew = false;  // by each call of the program: what is written to it is no state
  };
  // The same `data` pointer is the same value; the first name stays.
  ir::ValueId AddWeight(const std::string& name, std::shared_ptr<const ir::TensorData> data, WeightFacts facts);
  ir::ValueId AddWeight(const std::string& name, std::shared_ptr<const ir::TensorData> data) {
    return AddWeight(name, std::move(data), {});
  }
  // The strides that the source program's file states of a tensor.
  void StateStrides(ir::ValueId tensor, const ir::Dims& strides);
  // A host number becomes a constant tensor; None is left out with a remark.
  void AddOutput(const std::string& name, ir::Arg value);

  // ---- calls
  // `op`: an instruction, or an operator with its overload ("aten::add.Tensor", "quantized::conv2d.new"); `args`: its
  // operands, or one for each argument of the schema. One Arg per schema result: a ValueId, a host constant where the
  // result is known (numbers), an ArgList for a list of tensors of known length, None.
  // When the call cannot be lowered the failure is kept and the results are values for which IsFailed holds; a call
  // with such an argument fails silently.
  // `stated` (may be null): what the program's file says of the results. They are refused where they contradict it, and
  // where a call could not be lowered they go on with it, so that later calls are checked as well.
  // `names` (may be null): of the arguments, where nobody has a schema of the operator.
  std::vector<ir::Arg> Call(const ir::Operator& op, std::vector<ir::Arg> args, const ir::StatedTypes* stated = nullptr,
                            const RareList<ir::Attribute>* names = nullptr);
  // Returns true if the user makes calls of the operator nodes of their own.
  bool IsCustomNode(const ir::Operator& op) const;
  // The location of the calls to come.
  void SetLocation(const ir::Location& location);
  // The same by number, of the locations that the program's file has; given once, before all others.
  void AddLocations(ir::Locations locations);
  void SetLocation(ir::LocationId location);
  ir::LocationId location() const;

  // The current knowledge: kind, dtype, dims, contents.
  const ir::Value& TypeOf(ir::ValueId id) const;
  bool IsFailed(ir::ValueId id) const;
  // Returns true if the source program keeps the elements in that order; nothing where that is not certain. Inputs are
  // row-major, as a model's are, unless strides are stated.
  std::optional<bool> IsContiguous(ir::ValueId tensor, functionalize::MemoryFormat format) const;
  // IsFailed for what is about to be looked at, negated: reports the use of a Poison.
  bool CheckUsable(ir::ValueId id);
  // A value that stands for what could not be made; keeps the reason as a failure (once per reason and place).
  ir::ValueId Fail(const ir::Operator& op, const Reason& reason);
  // A failed value without a report of its own: using it in a call reports `reason` there. For values that exist on one
  // branch only.
  ir::ValueId Poison(const std::string& reason);

  // ---- control flow
  // From here on calls go into a new block inside the present one.
  void Begin();
  // A new input of the innermost block: an iteration number or a carried value, which starts as `initial`.
  ir::ValueId BlockInput(ir::Value type, const ir::Arg& initial = {});
  // Undoes what was written to older tensors since Begin and hands the region over. A dropped one leaves no trace: its
  // failures and remarks count only once If or Loop take it.
  Region End();

  // ONNX If. A condition is a value; None on one side of a result: never used when that side ran. It gives one value
  // for each result. Tensors have the joined type, which is found here: equal dims stay, others become unknown; other
  // dtypes or ranks make a Poison that says so. Numbers that are equal on both sides stay numbers. Tensors written in
  // either region get their joined values.
  std::vector<ir::Arg> If(ir::IfSpec spec, Region then, Region otherwise);

  // Returns true if If makes one value of the two, and if one has failed already.
  bool CanJoin(ir::ValueId condition, const ir::Arg& then, const ir::Arg& otherwise);

  // ONNX Loop. The caller traces the body once to learn what changes, and drops that region. Then it traces the body
  // again between Begin and End with block inputs for everything that changes:
  //
  //     Begin(); iteration = BlockInput(int); carried = BlockInput(...)...;
  //     CarryWrites(trial.writes, maybe none); ... ; End()
  //
  // Older tensors that the body writes become carried values. In the body only, always, after its BlockInputs.
  void CarryWrites(const std::vector<Region::Write>& writes);
  // None as an initial or next value: never used. Results: the carried values after the loop, then the scans. Returns
  // nothing when the type of a carried value at the end of the body does not fit its BlockInput. *joined then has the
  // types to try again with, in the order of `carried` followed by the writes.
  std::optional<std::vector<ir::Arg>> Loop(ir::LoopSpec spec, Region body, std::vector<ir::Value>* joined);

  // Returns true if `body`, which makes calls, can be called on tensors whose first axis has elements, and then gives
  // its results for each element, stacked: no loop is needed. It is tried twice and leaves no trace.
  using Body = std::function<std::vector<ir::Arg>(const std::vector<ir::Arg>& inputs)>;
  bool Vectorizes(const std::vector<ir::Arg>& stacks, const Body& body);

  // A result of If or Loop is what the program's file states of it; where it is not, that is a failure of `op`.
  void HoldTo(const ir::Operator& op, const ir::Value& stated, ir::ValueId result);

  // ---- state
  // After the outputs: the values that inputs and weights hold when the program has ended, where the file states them,
  // or an attribute was set. Writes of calls are known already. All at once, as one may become what another one was.
  void Become(const std::vector<std::pair<ir::ValueId, ir::Arg>>& values);
  // Returns true if a write to one could change the other.
  bool MayShareMemory(ir::ValueId a, ir::ValueId b) const;
  // After that, once: the present values of the tensors that were written to become outputs, where state is kept. A
  // value that cannot be kept is a failure.
  void EndState();
  // Weights that were written to and are no inputs yet: to walk again with.
  const std::set<std::string>& more_state() const;
  const std::vector<StatePair>& state_pairs() const;

  // ---- the end
  void Remark(std::string text);
  const std::vector<std::string>& remarks() const;
  const std::vector<record::Failure>& failures() const;
  // Returns true if one of them is a result that contradicts its stated type.
  bool contradicted() const;
  // The ATen calls as they were lowered, for printing.
  const ir::Graph& source() const;
  // The ONNX graph, once. No failures only.
  ir::Graph TakeGraph();
  ir::Graph TakeSource();

  struct State;  // internal

 private:
  std::unique_ptr<State> state_;
};

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_TRACER_H_
