// Turns the calls of a program into ONNX nodes, one after another. Each call is functionalised and lowered at the opset
// before the next one is made. So an interpreter can ask for ranks, sizes and dtypes, and fold conditions on them. Only
// conditions known only at run time become If and Loop.
//
// Values are ValueIds of a source graph of ATen calls (with blocks), which is kept for printing. The id of a tensor is
// its identity: in-place calls change the tensor's value, and views share memory.
#ifndef ONNXPORT_RUNTIME_TRACE_TRACER_H_
#define ONNXPORT_RUNTIME_TRACE_TRACER_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/ir/stated.h"
#include "runtime/lowering/options.h"
#include "runtime/lowering/types/free_sizes.h"
#include "runtime/trace/functionalize/strides.h"
#include "runtime/trace/kept_state.h"
#include "runtime/trace/program_state.h"
#include "runtime/trace/record/findings.h"
#include "runtime/trace/record/places.h"
#include "runtime/trace/regions.h"
#include "runtime/trace/unrolled.h"

namespace onnxport::trace {

struct WeightFacts {
  bool row_major = false;  // the source program is known to keep its elements in this order
  bool made_anew = false;  // by each call of the program: what is written to it is no state
};

// The only interface of this layer and those below for a source of programs (`.pt2`, `.pt`, LibTorch), with the parts
// that it returns. Its functions are in the order of use: inputs, calls, the graph.
class Tracer {
 public:
  // `ranges` are those of the symbols of the inputs. A symbol without a range is at least 1.
  explicit Tracer(int opset, lowering::FreeSizes free_sizes = lowering::FreeSizes::kAsStated, ir::Ranges ranges = {},
                  lowering::Options options = {}, ProgramState program_state = {});
  ~Tracer();
  Tracer(const Tracer&) = delete;

  // ---- inputs, weights and outputs
  // kTensor, kSequence (of tensors of that type), or kInt, kFloat, kBool for a number given at run time. A tensor is
  // row-major unless it has strides.
  ir::ValueId AddInput(const std::string& name, ir::Value type);
  // For a program that a trace may have recorded: the sizes in the trace, and which calls are recorded.
  UnrolledLoops& unrolled();
  // The same `data` pointer gives the same value; the first name stays.
  ir::ValueId AddWeight(const std::string& name, std::shared_ptr<const ir::TensorData> data, WeightFacts facts = {});
  // Sets the strides of a tensor that the source program's file states.
  void StateStrides(ir::ValueId tensor, const ir::Dims& strides);
  // A host number becomes a constant tensor. None is left out, with a remark.
  void AddOutput(const std::string& name, ir::Arg value);

  // ---- calls
  // Makes a call. `op` is an instruction, or an operator with its overload ("aten::add.Tensor",
  // "quantized::conv2d.new"). `args` are the operands of the instruction, or one for each argument of the schema.
  // Returns one Arg per schema result: a ValueId, a host constant for a known number, an ArgList for a list of tensors
  // of known length, or None.
  //
  // If the call cannot be lowered, the failure is kept, and IsFailed holds for the results. A call with such an
  // argument fails without a new report.
  //
  // `stated` (may be null) are the types of the results in the program's file. Results that contradict them are
  // refused. If the call cannot be lowered, its results get these types, so that later calls are checked as well.
  // `names` (may be null) are the names of the arguments of an operator without a schema.
  std::vector<ir::Arg> Call(const ir::Operator& op, std::vector<ir::Arg> args, const ir::StatedTypes* stated = nullptr,
                            const RareList<ir::Attribute>* names = nullptr);
  // Returns true if the user maps calls of the operator to nodes of their own.
  bool IsCustomNode(const ir::Operator& op) const;
  // The places in the program that the next calls come from.
  record::Places& places();

  // Everything known about the value now: kind, dtype, dims, contents.
  const ir::Value& TypeOf(ir::ValueId id) const;
  bool IsFailed(ir::ValueId id) const;
  // Returns true if the source program stores the elements in that order; nothing if that is not certain. Inputs are
  // row-major, like those of a model, unless strides are stated.
  std::optional<bool> IsContiguous(ir::ValueId tensor, functionalize::MemoryFormat format) const;
  // Returns false if the value has failed, and reports the use of a Poison. Call it before reading the value.
  bool CheckUsable(ir::ValueId id);
  // Returns a failed value, and keeps the reason as a failure (once per reason and place).
  ir::ValueId Fail(const ir::Operator& op, const Reason& reason);
  // Returns a failed value without a report. A call that uses it reports `reason`. For values that exist only on one
  // branch.
  ir::ValueId Poison(const std::string& reason);

  // If and Loop.
  Regions& regions();

  // ---- the end
  // The new values of inputs and weights.
  KeptState& kept_state();
  // Call it once, after the outputs: the current values of state become outputs, too. A value that cannot be kept is a
  // failure.
  void EndState();
  // Calls that could not be lowered, and remarks.
  record::Findings& findings();
  const record::Findings& findings() const;
  // Returns true if a result contradicted its stated type.
  bool contradicted() const;
  // The ATen calls as they were lowered, for printing.
  const ir::Graph& source() const;
  // Returns the ONNX graph. Call it once, and only without failures.
  ir::Graph TakeGraph();
  ir::Graph TakeSource();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_TRACER_H_
