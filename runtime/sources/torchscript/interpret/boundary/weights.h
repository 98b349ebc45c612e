// Makes tensors of the archive weights of the graph.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_WEIGHTS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_WEIGHTS_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/sources/torchscript/archive/pickle.h"
#include "runtime/sources/torchscript/interpret/operators/operators.h"
#include "runtime/sources/torchscript/interpret/values/grids.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {

class Weights {
 public:
  // All outlive this. `operators` and `grids` get the archive's facts about each weight.
  Weights(trace::Tracer* tracer, Operators* operators, Grids* grids)
      : tracer_(*tracer), operators_(*operators), grids_(*grids) {}

  // For a quantized tensor, the weight has the integers, and the result is the dequantized value.
  Value Add(const std::string& name, const Pickled::Tensor& tensor);
  // The elements of a small weight that is not quantized, from the archive; empty for any other.
  std::vector<double> NumbersIn(const Tensor& weight) const;

 private:
  // For a weight with a scale and zero point for each channel.
  Value AddChannels(const std::string& name, const QuantizerInfo& info, Grid* grid);

  trace::Tracer& tracer_;
  Operators& operators_;
  Grids& grids_;
  std::map<ir::ValueId, std::shared_ptr<const ir::TensorData>> small_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_WEIGHTS_H_
