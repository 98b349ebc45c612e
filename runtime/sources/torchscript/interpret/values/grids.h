// Tracks which tensors are quantized, and how.
//
// A quantized tensor is represented by its dequantized value: QuantizeLinear directly followed by DequantizeLinear. So
// views, relu, pooling and concatenation are the float operators. Results that LibTorch rounds to a grid are quantized
// again. The grid (integer type, scale, zero point) is stored here, by the tensor's id.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_GRIDS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_GRIDS_H_

#include <cstdint>
#include <map>
#include <utility>

#include "runtime/ir/graph.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/sources/torchscript/interpret/values/values.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {

// The reason why a quantized tensor cannot be in an ONNX sequence or in a stack: its grid would be lost there.
inline constexpr const char* kQuantizedElement =
    "a list whose length or positions are known only at run time holds quantized tensors; dequantize them before";

struct Grid {
  ir::DType dtype = ir::DType::kUndefined;    // of the integers: uint8, int8, int32
  int64_t per_byte = 1;                       // integers in a byte
  Value scale;                                // float; a tensor when per channel
  Value zero_point;                           // int; a tensor when per channel
  int64_t axis = -1;                          // -1: per tensor
  ir::ValueId integers = ir::ValueId::kNone;  // if known
};

class Grids {
 public:
  // Null if the value is not quantized.
  const Grid* Of(const Value& value) const;
  // The grid of the first quantized tensor, also in lists.
  const Grid* First(const ValueList& args, const Keywords& keywords) const;

  void Set(ir::ValueId tensor, Grid grid) { grids_[tensor] = std::move(grid); }
  // Sets the grid of an operator's results: float32 tensors, also in tuples and lists. Their integers are unknown.
  Value Remember(Value made, const Grid& grid, const trace::Tracer& tracer);
  // Joins two tensors for an If or a Loop. Returns false if their grids differ, because the joined one has no grid
  // then.
  bool Join(ir::ValueId a, ir::ValueId b, ir::ValueId joined);

 private:
  std::map<ir::ValueId, Grid> grids_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_GRIDS_H_
