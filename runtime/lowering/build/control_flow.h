// If and Loop nodes, and the rules that ONNX and its runtimes have for them.
#ifndef ONNXPORT_RUNTIME_LOWERING_BUILD_CONTROL_FLOW_H_
#define ONNXPORT_RUNTIME_LOWERING_BUILD_CONTROL_FLOW_H_

#include <optional>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/lowering/build/piece.h"
#include "runtime/lowering/build/val.h"

namespace onnxport::lowering {

class Emitter;

// A single bool or int64 as ONNX wants conditions and trip counts: 0-d.
ir::ValueId AsSingle(Emitter* emitter, const Val& value, ir::DType dtype);

// In the innermost open block, a value of this kind and dtype. Host numbers become constants, host lists of tensors
// sequences. Throws Refusal when the rank differs from the type's.
ir::ValueId AsType(Emitter* emitter, const Val& value, const ir::Value& type);

// Appends an If. Outputs are cast to `types`, at the end of the (closed) blocks. Throws Refusal.
struct Side {
  Piece piece;
  Vals outputs;
};
std::vector<ir::ValueId> EmitIf(Emitter* emitter, const Val& condition, Side then, Side otherwise,
                                std::vector<ir::Value> types);

// Appends a Loop. The body's block inputs are iteration, condition and the carried values; `outputs`: the condition,
// the carried values' next ones, the scans. The carried results have the types of the block inputs.
struct LoopBody {
  Piece piece;
  Vals outputs;
  size_t carried = 0;
};
std::vector<ir::ValueId> EmitLoop(Emitter* emitter, const Val& trip_count, const Val& condition, const Vals& initial,
                                  LoopBody body);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_BUILD_CONTROL_FLOW_H_
