// Turns arguments of a graph's calls and nodes into values to compute with; and back.
#ifndef ONNXPORT_RUNTIME_LOWERING_BUILD_ARGS_H_
#define ONNXPORT_RUNTIME_LOWERING_BUILD_ARGS_H_

#include <functional>
#include <string>

#include "runtime/ir/graph.h"
#include "runtime/lowering/build/val.h"

namespace onnxport::lowering {

class Emitter;

// `find` gives what a value of the graph is. Throws Refusal for a tensor constant.
Val ToVal(const ir::Arg& arg, const std::function<Val(ir::ValueId)>& find);

// Tensors as values of the graph under construction.
ir::Arg ToArg(const Val& value);

// A single bool or int64 as ONNX wants conditions and trip counts: 0-d.
ir::ValueId AsSingle(Emitter* emitter, const Val& value, ir::DType dtype);

// In the innermost open block, a value of this kind and dtype. Host numbers become constants, host lists of tensors
// sequences. Throws Refusal when the rank differs from the type's.
ir::ValueId AsType(Emitter* emitter, const Val& value, const ir::Value& type);

// "a list of float32[n, 4]", for messages.
std::string TypeText(const ir::Value& type);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_BUILD_ARGS_H_
