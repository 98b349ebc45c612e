// The contents of a Model.
#ifndef ONNXPORT_RUNTIME_API_MODEL_DATA_H_
#define ONNXPORT_RUNTIME_API_MODEL_DATA_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "onnxport/model.h"
#include "onnxport/source.h"
#include "runtime/archive/byte_source.h"
#include "runtime/ir/graph.h"
#include "runtime/model/functions/function.h"
#include "runtime/model/passes/quantize/precision_loss.h"

namespace onnxport {

struct Model::Data {
  ir::Graph graph;                                 // named, ready to be written
  std::optional<functions::ModularGraph> modular;  // which is written in its place; nothing: without functions
  ir::Graph calls;                                 // that the nodes came from
  bool metadata = true;                            // whether the file says so, and has these properties
  std::vector<std::pair<std::string, std::string>> properties;
  bool state_as_inputs = false;  // parameters and buffers are inputs with defaults
  std::vector<Port> inputs;
  std::vector<Port> outputs;
  std::vector<State> state;
  std::vector<std::string> remarks;
  std::vector<Warning> warnings;
  std::shared_ptr<const passes::PrecisionLoss> lost;  // what writing the weights found; may be null
  size_t remarks_of_export = 0;                       // those before what `lost` says
  std::vector<Stage> stages;
  std::shared_ptr<const archive::ByteSource> source;  // the program
  std::vector<Source> also_read;                      // weights of a file of their own, other traces
  std::optional<uint64_t> memory_budget;
};

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_API_MODEL_DATA_H_
