// The inputs and outputs that an ONNX file states.
#ifndef ONNXPORT_RUNTIME_VERIFY_INPUTS_PORTS_H_
#define ONNXPORT_RUNTIME_VERIFY_INPUTS_PORTS_H_

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/ir/dim.h"
#include "runtime/ir/dtype.h"

namespace onnxport::verify {

struct Port {
  std::string name;
  ir::DType dtype = ir::DType::kUndefined;
  bool sequence = false;  // dtype and dims are an element's
  ir::Dims dims;          // of an input each axis is a number, or has a name: "x_axis1" where the file has none
};

inline auto Find(const std::vector<Port>& ports, std::string_view name) {
  return std::ranges::find(ports, name, &Port::name);
}

// A value that a run takes and gives anew (ExportOptions::state_as_io): names of an input and an output.
struct State {
  std::string input;
  std::string output;
};

struct Ports {
  int opset = 0;
  std::vector<Port> inputs;  // without those that have a value in the file
  std::vector<Port> outputs;
  std::vector<State> state;             // in the order of the outputs
  std::vector<std::string> data_files;  // in which the model has weights
};

// Throws Error (kBadInput) for what is no ONNX model, or names state that it does not have.
Ports ReadPorts(const std::string& path);

}  // namespace onnxport::verify

#endif  // ONNXPORT_RUNTIME_VERIFY_INPUTS_PORTS_H_
