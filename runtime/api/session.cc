#include "runtime/api/session.h"

#include <utility>

#include "runtime/api/custom_nodes.h"
#include "runtime/api/opener.h"
#include "runtime/pt2/pt2.h"
#include "runtime/pt2/replay/replay.h"
#include "runtime/torchscript/torchscript.h"

namespace onnxport {

Session::Session(const Source& source, const ExportOptions& options)
    : interruption_(options.stop, options.deadline),
      bytes_(source.opener().Open()),
      budget_(bytes_->name(), bytes_->size(), options.memory_budget) {}

LoadedModel::LoadedModel(const std::shared_ptr<const archive::Archive>& archive, const ExportOptions& options)
    : options_(options), custom_nodes_(ForLowering(options.custom_nodes)) {
  if (torchscript::IsTorchScript(*archive)) {
    program_ = torchscript::ReadProgram(archive, {.trust_source = options.trust_source});
  } else {
    program_ = pt2::ReadPt2(archive, &remarks_);
  }
}

void LoadedModel::Describe(std::vector<inputs::InputSpec> specs) {
  if (auto* graph = std::get_if<ir::Graph>(&program_)) {
    if (!specs.empty()) inputs::ApplyInputSpecs(graph, specs);
  } else {
    specs_ = std::move(specs);
  }
}

trace::Traced LoadedModel::Trace() const {
  if (const ir::Graph* graph = pt2()) {
    return trace::Trace([&](int opset) { return pt2::Replay(*graph, opset, custom_nodes_); }, options_.opset);
  }
  return torchscript::Interpret(
      *torchscript(),
      {.opset = options_.opset, .method = options_.method, .inputs = specs_, .custom_nodes = custom_nodes_});
}

}  // namespace onnxport
