// Quantized tensors. A quantized tensor is its dequantized value: QuantizeLinear directly followed by DequantizeLinear.
// Views, relu, pooling and concatenation are then the float operators; what LibTorch rounds to a grid is quantized
// again. The grid (integer type, scale, zero point) is kept here, beside the tensor's id.
#ifndef ONNXPORT_RUNTIME_TORCHSCRIPT_INTERPRET_QUANTIZED_QUANTIZED_H_
#define ONNXPORT_RUNTIME_TORCHSCRIPT_INTERPRET_QUANTIZED_QUANTIZED_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/torchscript/archive/pickle.h"
#include "runtime/torchscript/interpret/builtins/builtins.h"
#include "runtime/torchscript/interpret/values/heap.h"
#include "runtime/torchscript/interpret/values/value.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {

class Quantized {
 public:
  using Keywords = std::vector<std::pair<std::string, Value>>;

  // All outlive this.
  Quantized(Heap* heap, trace::Tracer* tracer, Builtins* builtins)
      : heap_(*heap), tracer_(*tracer), builtins_(*builtins) {}

  // A weight of the graph; of a quantized one its integers are, and the result is its dequantized value.
  Value Weight(const std::string& name, const Pickled::Tensor& tensor);
  // Completes an unpickled bound object: packed parameters whose attribute `state` is what the archive stored.
  void SetState(const CellPtr& object);

  // Operators of quantized tensors and others that meet one; nothing for any other call.
  std::optional<Value> Call(const std::string& op, const ValueList& args, const Keywords& keywords);
  // Methods of packed parameters: `unpack`, `bias`, `stride` ...
  std::optional<Value> CallMethod(const CellPtr& object, const std::string& method) const;

  // For what an If or a Loop makes of two tensors: false when they are on different grids, so that nothing is known.
  bool Join(ir::ValueId a, ir::ValueId b, ir::ValueId joined);
  bool IsQuantized(ir::ValueId id) const { return grids_.contains(id); }

 private:
  struct Grid {
    ir::DType dtype = ir::DType::kUndefined;    // of the integers: uint8, int8, int32
    int64_t per_byte = 1;                       // integers in a byte
    Value scale;                                // float; a tensor when per channel
    Value zero_point;                           // int; a tensor when per channel
    int64_t axis = -1;                          // -1: per tensor
    ir::ValueId integers = ir::ValueId::kNone;  // where they are known
  };

  const Grid* GridOf(const Value& value) const;
  // Of the first quantized tensor, also in lists.
  const Grid* FirstGrid(const ValueList& args, const Keywords& keywords) const;
  Value Remember(Value made, const Grid& grid);
  // Of a weight whose channels have scales and zero points of their own.
  Value ChannelWeight(const std::string& name, const QuantizerInfo& info, Grid* grid);
  Value Run(const std::string& op, std::vector<ir::Arg> args);
  Value Refuse(const std::string& op, const std::string& why);
  Value Requantize(const Value& value, const Grid& grid);

  std::optional<Value> Make(const std::string& op, const ValueList& args);
  std::optional<Value> Ask(const std::string& op, const Value& tensor);
  Value Integers(const Value& tensor, const Grid& grid);
  // quantized:: operators (quantized_calls.cc)
  Value CallPacked(const std::string& name, const ValueList& args, const Keywords& keywords);
  Value CallGeneric(const std::string& name, const ValueList& args, const Keywords& keywords);
  std::optional<Value> CallScalar(const std::string& name, const ValueList& args);
  // Recurrent layers with packed weights (quantized_recurrent.cc); nothing for any other operator
  std::optional<Value> CallRecurrent(const std::string& op, const ValueList& args);
  static void AddToGrid(double b, Grid* grid);
  static void MultiplyGrid(double b, Grid* grid);
  // aten:: operators
  Value CallFloat(const std::string& op, const ValueList& args, const Keywords& keywords, const Grid& grid);

  Heap& heap_;
  trace::Tracer& tracer_;
  Builtins& builtins_;
  std::map<ir::ValueId, Grid> grids_;
  std::map<ir::ValueId, std::shared_ptr<const ir::TensorData>> small_weights_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_TORCHSCRIPT_INTERPRET_QUANTIZED_QUANTIZED_H_
