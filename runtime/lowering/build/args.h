// Turns arguments of calls and nodes into values to compute with, and back.
#ifndef ONNXPORT_RUNTIME_LOWERING_BUILD_ARGS_H_
#define ONNXPORT_RUNTIME_LOWERING_BUILD_ARGS_H_

#include <functional>
#include <string>

#include "runtime/ir/graph.h"
#include "runtime/lowering/build/val.h"

namespace onnxport::lowering {

class Emitter;

// `find` returns the Val for a value of the graph. Throws Refusal for a tensor constant.
Val ToVal(const ir::Arg& arg, const std::function<Val(ir::ValueId)>& find);

// Tensors become values of the graph under construction.
ir::Arg ToArg(const Val& value);

// Returns a single bool or int64 as a 0-d tensor, which ONNX requires for conditions and trip counts.
ir::ValueId AsSingle(Emitter* emitter, const Val& value, ir::DType dtype);

// Returns the value in this kind and dtype, in the innermost open block. Host numbers become constants, host lists of
// tensors become sequences. Throws Refusal if the rank differs from the type's.
ir::ValueId AsType(Emitter* emitter, const Val& value, const ir::Value& type);

// "a list of float32[n, 4]", for messages.
std::string TypeText(const ir::Value& type);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_BUILD_ARGS_H_
