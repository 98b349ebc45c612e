// Builds small ATen graphs for tests.
#ifndef ONNXPORT_RUNTIME_TESTING_ATEN_PROGRAM_H_
#define ONNXPORT_RUNTIME_TESTING_ATEN_PROGRAM_H_

#include <memory>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::functionalize {

// Tensors are float32 and row-major unless a call says otherwise.
class AtenProgram {
 public:
  ir::ValueId Input(const std::string& name, ir::Dims dims, ir::DType dtype = ir::DType::kFloat32);
  ir::ValueId Weight(const std::string& name, ir::Dims dims, ir::DType dtype = ir::DType::kFloat32,
                     const std::shared_ptr<const ir::TensorBytes>& bytes = nullptr);
  // `args` are all arguments of the schema, in its order.
  ir::ValueId Call(const std::string& op, std::vector<ir::Arg> args, ir::Dims dims, const std::string& name,
                   ir::DType dtype = ir::DType::kFloat32, ir::Dims strides = {});
  // The results are called NAME_0, NAME_1 ...
  std::vector<ir::ValueId> CallMany(const std::string& op, std::vector<ir::Arg> args, const std::vector<ir::Dims>& dims,
                                    const std::string& name);
  void Output(ir::Arg value);
  // Later calls come from this line.
  void At(const std::string& file, int line, const std::string& code);

  ir::Graph graph;

 private:
  ir::ValueId Tensor(const std::string& name, ir::Dims dims, ir::DType dtype, ir::Dims strides = {});

  ir::LocationId location_ = ir::LocationId::kNone;
};

// Returns the strides of a row-major tensor.
ir::Dims RowMajorStrides(const ir::Dims& dims);

}  // namespace onnxport::functionalize

#endif  // ONNXPORT_RUNTIME_TESTING_ATEN_PROGRAM_H_
