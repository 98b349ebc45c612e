// Calls of a program, made one after another, become ONNX nodes at once. Each call is functionalised and lowered at the
// opset, and its results have types before the next call is made. So an interpreter can ask for ranks, sizes and
// dtypes, and fold conditions on them; only conditions known only at run time become If and Loop.
//
// Values are ValueIds of a source graph of ATen calls (with blocks), which is kept for printing. A tensor's id is its
// identity: in-place calls change what the id stands for, views share memory.
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

namespace onnxport::trace {

struct WeightFacts {
  bool row_major = false;  // the source program is known to keep its elements in this order
  bool made_anew = false;  // by each call of the program: what is written to it is no state
};

// The only part of the layers below that a source of programs (`.pt2`, `.pt`, LibTorch) sees, with the parts that it
// gives out. Its functions stand in the order of use: inputs, calls, the graph.
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
  // The same `data` pointer is the same value; the first name stays.
  ir::ValueId AddWeight(const std::string& name, std::shared_ptr<const ir::TensorData> data, WeightFacts facts = {});
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
  // Where the calls to come are from.
  record::Places& places();

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

  // If and Loop.
  Regions& regions();

  // ---- the end
  // What inputs and weights become.
  KeptState& kept_state();
  // After the outputs, once: the present values of state become outputs, too. A value that cannot be kept is a failure.
  void EndState();
  // Calls that could not be lowered, and remarks.
  record::Findings& findings();
  const record::Findings& findings() const;
  // Returns true if a failure is a result that contradicts its stated type.
  bool contradicted() const;
  // The ATen calls as they were lowered, for printing.
  const ir::Graph& source() const;
  // The ONNX graph, once. No failures only.
  ir::Graph TakeGraph();
  ir::Graph TakeSource();

 private:
  std::unique_ptr<State> state_;
};

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_TRACER_H_
