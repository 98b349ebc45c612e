// Operators of TorchScript: calls that host values decide are computed, the rest goes to the tracer as ATen calls.
//
// These take a call, in this order:
// - functions that have a row for it in one of the tables of builtins/ and quantized/, one after another;
// - CustomCall, if nobody has a schema of it and the user maps it: it is a node of theirs;
// - CallOnGrid, if an argument is a quantized tensor;
// - ATen's overloads.
//
// These are refused, each with its reason when it is called:
// - `aten::save` and `from_file`: they touch files;
// - generators: a model has no random state;
// - remote calls;
// - `hash` and `id`: they differ from run to run;
// - CUDA and cuFFT queries: they ask about a machine.
//
// Warnings, printing and seeds are dropped with a remark; grad mode and profiler records without one.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_OPERATORS_OPERATORS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_OPERATORS_OPERATORS_H_

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/sources/torchscript/archive/program.h"
#include "runtime/sources/torchscript/interpret/values/grids.h"
#include "runtime/sources/torchscript/interpret/values/heap.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/sources/torchscript/interpret/values/values.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {

class Operators {
 public:
  // All outlive this. `program` may be null: then the code is taken to be of the newest operator version.
  Operators(const Program* program, trace::Tracer* tracer, Heap* heap, Grids* grids);
  ~Operators();
  Operators(const Operators&) = delete;
  Operators& operator=(const Operators&) = delete;

  // `op` without overload: "aten::add" of `torch.add(...)`, "prim::min" of `ops.prim.min(...)`, "aten::Float" of
  // `float(...)`, "aten::__getitem__" of `x[i]`. No argument is a Missing.
  //
  // Several results are a tuple without a class, none is None. A call that cannot be exported is a failure of the
  // tracer; the result is then a failed Tensor or a Missing that is reported. Throws Refusal (kRaised) where the
  // program itself fails on known values: an index outside a list, an absent key, a division by zero.
  Value Call(const std::string& op, ValueList args, Keywords keywords = {});

  // A weight of the model, as the archive describes it.
  void NoteWeight(ir::ValueId id, bool requires_grad);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The operators that are computed during the export where their values are known, without overload.
std::set<std::string_view> ComputedOperators();

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_OPERATORS_OPERATORS_H_
