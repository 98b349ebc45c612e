#include "runtime/testing/aten_program.h"

#include <utility>

#include "runtime/ir/location.h"

namespace onnxport::functionalize {

using ir::ValueId;

ir::Dims RowMajorStrides(const ir::Dims& dims) {
  ir::Dims strides(dims.size());
  ir::Dim step = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    strides[i] = step;
    step = step * dims[i];
  }
  return strides;
}

ValueId AtenProgram::Tensor(const std::string& name, ir::Dims dims, ir::DType dtype, ir::Dims strides) {
  ir::Value value;
  value.name = name;
  value.dtype = dtype;
  value.strides = strides.empty() ? RowMajorStrides(dims) : std::move(strides);
  value.dims = std::move(dims);
  return graph.AddValue(std::move(value));
}

ValueId AtenProgram::Input(const std::string& name, ir::Dims dims, ir::DType dtype) {
  const ValueId id = Tensor(name, std::move(dims), dtype);
  graph.inputs.push_back({name, {id}});
  graph.body.inputs.push_back(id);
  return id;
}

ValueId AtenProgram::Weight(const std::string& name, ir::Dims dims, ir::DType dtype,
                            const std::shared_ptr<const ir::TensorBytes>& bytes) {
  auto data = std::make_shared<ir::TensorData>();
  data->dtype = dtype;
  auto size = static_cast<size_t>(ir::ByteSize(dtype));
  for (const ir::Dim& dim : dims) {
    data->shape.push_back(dim.number());
    size *= static_cast<size_t>(dim.number());
  }
  data->bytes = bytes != nullptr ? bytes : ir::MakeTensor(dtype, {}, std::string(size, '\0'))->bytes;
  const ValueId id = Tensor(name, std::move(dims), dtype);
  graph.weights.push_back({id, name, std::move(data)});
  return id;
}

ValueId AtenProgram::Call(const std::string& op, std::vector<ir::Arg> args, ir::Dims dims, const std::string& name,
                          ir::DType dtype, ir::Dims strides) {
  ir::Node node;
  node.op = op;
  node.inputs = std::move(args);
  node.outputs = {Tensor(name, std::move(dims), dtype, std::move(strides))};
  node.location = location_;
  graph.body.nodes.push_back(std::move(node));
  return graph.body.nodes.back().outputs[0];
}

std::vector<ValueId> AtenProgram::CallMany(const std::string& op, std::vector<ir::Arg> args,
                                           const std::vector<ir::Dims>& dims, const std::string& name) {
  ir::Node node;
  node.op = op;
  node.inputs = std::move(args);
  for (size_t i = 0; i < dims.size(); ++i)
    node.outputs.push_back(Tensor(name + "_" + std::to_string(i), dims[i], ir::DType::kFloat32));
  node.location = location_;
  graph.body.nodes.push_back(std::move(node));
  return graph.body.nodes.back().outputs.ToVector();
}

void AtenProgram::Output(ir::Arg value) {
  graph.outputs.push_back({"o" + std::to_string(graph.outputs.size()), value});
  graph.body.outputs.push_back(std::move(value));
}

void AtenProgram::At(const std::string& file, int line, const std::string& code) {
  ir::Location location;
  location.at = ir::MakeLine(file, line, code);
  location_ = graph.AddLocation(std::move(location));
}

}  // namespace onnxport::functionalize
