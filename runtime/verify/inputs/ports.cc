#include "runtime/verify/inputs/ports.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "onnx/onnx_pb.h"
#include "runtime/archive/byte_source.h"
#include "runtime/base/error.h"
#include "runtime/model/onnx_file/data_files.h"
#include "runtime/model/onnx_file/read_model.h"

namespace onnxport::verify {
namespace {

ir::Dim DimOf(const onnx::TensorShapeProto::Dimension& dim, const std::string& name) {
  if (dim.has_dim_value()) return ir::Dim(dim.dim_value());
  if (!dim.has_dim_param() || dim.dim_param().empty()) return ir::Dim::Symbol(name);
  std::string error;
  const auto parsed = ir::Dim::Parse(dim.dim_param(), &error);
  // An axis that another exporter has called "batch size!" is no expression of ours, but still one axis with one size.
  return parsed ? *parsed : ir::Dim::Symbol(dim.dim_param());
}

Port PortOf(const onnx::ValueInfoProto& info) {
  Port port{.name = info.name(), .sequence = info.type().has_sequence_type(), .dims = {}};
  const onnx::TypeProto& type = port.sequence ? info.type().sequence_type().elem_type() : info.type();
  port.dtype = ir::DTypeOfNumber(type.tensor_type().elem_type());
  for (const auto& dim : type.tensor_type().shape().dim()) {
    port.dims.push_back(DimOf(dim, port.name + "_axis" + std::to_string(port.dims.size())));
  }
  return port;
}

// In the order of the outputs.
std::vector<State> StateOf(const onnx::ModelProto& model, const Ports& ports, const std::string& path) {
  constexpr std::string_view kState = "onnxport.state.";
  std::vector<State> states;
  for (const auto& property : model.metadata_props()) {
    if (!property.key().starts_with(kState)) continue;
    const State& state = states.emplace_back(State{property.key().substr(kState.size()), property.value()});
    if (Find(ports.inputs, state.input) == ports.inputs.end() ||
        Find(ports.outputs, state.output) == ports.outputs.end()) {
      throw Error(ErrorKind::kBadInput, fmt::format("{} names `{}` and `{}` as state, but has no such input and output",
                                                    path, state.input, state.output));
    }
  }
  std::ranges::sort(states, {},
                    [&](const State& state) { return Find(ports.outputs, state.output) - ports.outputs.begin(); });
  return states;
}

}  // namespace

Ports ReadPorts(const std::string& path) {
  const onnx::ModelProto model = onnx_file::ReadModel(*archive::OpenFile(path));
  Ports ports;
  for (const auto& import : model.opset_import()) {
    if (import.domain().empty()) ports.opset = static_cast<int>(import.version());
  }
  // Before IR version 4, and with --keep-initializers-as-inputs, weights are listed among the inputs.
  std::set<std::string> weights;
  for (const auto& weight : model.graph().initializer()) weights.insert(weight.name());
  for (const auto& input : model.graph().input()) {
    if (!weights.contains(input.name())) ports.inputs.push_back(PortOf(input));
  }
  for (const auto& output : model.graph().output()) ports.outputs.push_back(PortOf(output));
  ports.state = StateOf(model, ports, path);
  ports.data_files = onnx_file::DataFilesOf(model, path);
  return ports;
}

}  // namespace onnxport::verify
