// Calls operators of TorchScript. Calls on host values are computed, the rest goes to the tracer as ATen calls.
//
// A call is tried in this order:
// - builtins with a row for it in one of the tables of builtins/ and quantized/, one after another;
// - CustomCall, if it has no schema and the user maps it to a node;
// - CallOnGrid, if an argument is a quantized tensor;
// - ATen's overloads.
//
// These are refused, each with its reason, when they are called:
// - `aten::save` and `from_file`: they touch files;
// - generators: a model has no random state;
// - remote calls;
// - `hash` and `id`: they differ from run to run;
// - CUDA and cuFFT queries: they ask about a machine.
//
// Warnings, printing and seeds are dropped with a remark. Grad mode and profiler records are dropped without one.
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
  // All outlive this. If `program` is null, the code is assumed to have the newest operator version.
  Operators(const Program* program, trace::Tracer* tracer, Heap* heap, Grids* grids);
  ~Operators();
  Operators(const Operators&) = delete;
  Operators& operator=(const Operators&) = delete;

  // `op` has no overload: "aten::add" for `torch.add(...)`, "prim::min" for `ops.prim.min(...)`, "aten::Float" for
  // `float(...)`, "aten::__getitem__" for `x[i]`. No argument is a Missing.
  //
  // Several results are a tuple without a class; no result is None. A call that cannot be exported is a failure of the
  // tracer, and the result is a failed Tensor or a Missing that is reported. Throws Refusal (kRaised) if the program
  // itself fails on known values: an index outside a list, an absent key, a division by zero.
  Value Call(const std::string& op, ValueList args, Keywords keywords = {});

  // Notes a weight of the model, as the archive describes it.
  void NoteWeight(ir::ValueId id, bool requires_grad);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The operators, without overload, that are computed during the export if their values are known.
std::set<std::string_view> ComputedOperators();

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_OPERATORS_OPERATORS_H_
