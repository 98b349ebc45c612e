// Which tensors are quantized, and how.
//
// A quantized tensor is its dequantized value: QuantizeLinear directly followed by DequantizeLinear. Views, relu,
// pooling and concatenation are then the float operators; what LibTorch rounds to a grid is quantized again. The grid
// (integer type, scale, zero point) is kept here, beside the tensor's id.
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

// Why no quantized tensor becomes an element of an ONNX sequence or of a stack: there nothing tells its grid.
inline constexpr const char* kQuantizedElement =
    "a list whose length or positions are known only at run time holds quantized tensors; dequantize them before";

struct Grid {
  ir::DType dtype = ir::DType::kUndefined;    // of the integers: uint8, int8, int32
  int64_t per_byte = 1;                       // integers in a byte
  Value scale;                                // float; a tensor when per channel
  Value zero_point;                           // int; a tensor when per channel
  int64_t axis = -1;                          // -1: per tensor
  ir::ValueId integers = ir::ValueId::kNone;  // where they are known
};

class Grids {
 public:
  // Null for what is not quantized.
  const Grid* Of(const Value& value) const;
  // The grid of the first quantized tensor, also in lists.
  const Grid* First(const ValueList& args, const Keywords& keywords) const;

  void Set(ir::ValueId tensor, Grid grid) { grids_[tensor] = std::move(grid); }
  // The results of an operator are on the grid: its float32 tensors, also in tuples and lists. The integers are not
  // known.
  Value Remember(Value made, const Grid& grid, const trace::Tracer& tracer);
  // For what an If or a Loop makes of two tensors: false when they are on different grids, so that nothing is known.
  bool Join(ir::ValueId a, ir::ValueId b, ir::ValueId joined);

 private:
  std::map<ir::ValueId, Grid> grids_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_GRIDS_H_
