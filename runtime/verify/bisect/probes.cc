#include "runtime/verify/bisect/probes.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "onnx/onnx_pb.h"
#include "runtime/archive/byte_source.h"
#include "runtime/base/error.h"
#include "runtime/model/onnx_file/read_model.h"
#include "runtime/verify/report/cannot_compare.h"

namespace onnxport::verify {
namespace {

namespace fs = std::filesystem;

// A new file that is there while the object is, under this name and some letters more.
class TemporaryFile {
 public:
  TemporaryFile(std::string name, const std::string& bytes) {
    name += ".XXXXXX";
    const int file = ::mkstemp(name.data());
    if (file < 0) throw Error(ErrorKind::kCannotWrite, fmt::format("cannot write {}", name));
    ::close(file);
    path_ = name;
    std::ofstream out(path_, std::ios::binary);
    out << bytes;
    if (out.flush()) return;
    Remove();  // whoever throws while it is made has no destructor
    throw Error(ErrorKind::kCannotWrite, fmt::format("cannot write {}", path_.string()));
  }
  TemporaryFile(const TemporaryFile&) = delete;
  ~TemporaryFile() { Remove(); }
  std::string path() const { return path_.string(); }

 private:
  void Remove() const {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }

  fs::path path_;
};

// "%relu_1 : [num_users=1] = ...": where the serializer writes it (serializer/node_metadata.h).
std::string_view CallText(const onnx::NodeProto& node) {
  for (const auto& entry : node.metadata_props()) {
    if (entry.key() == "pkg.torch.onnx.fx_node") return entry.value();
  }
  return node.doc_string();
}

std::string CallOf(const onnx::NodeProto& node) {
  const std::string_view text = CallText(node);
  const size_t end = text.find(" : [num_users=");
  return text.starts_with('%') && end != std::string_view::npos ? std::string(text.substr(1, end - 1)) : "";
}

bool HasWeightsElsewhere(const onnx::GraphProto& graph) {
  return std::ranges::any_of(graph.initializer(), [](const onnx::TensorProto& weight) {
    return weight.data_location() == onnx::TensorProto::EXTERNAL;
  });
}

struct Source {
  std::string call;
  std::string node;
};

// Makes outputs of the values that nodes of a call give; the source of each output, in order.
std::vector<std::optional<Source>> AddProbes(onnx::GraphProto* graph) {
  std::map<std::string, Source> sources;
  for (const onnx::NodeProto& node : graph->node()) {
    const std::string call = CallOf(node);
    if (call.empty()) continue;
    for (const std::string& value : node.output()) {
      if (!value.empty()) sources[value] = {call, node.name().empty() ? node.op_type() : node.name()};
    }
  }
  std::vector<std::optional<Source>> outputs;
  // First the outputs that are there: their order is the program's, and a value must not be listed twice.
  for (const auto& output : graph->output()) {
    const auto found = sources.find(output.name());
    outputs.push_back(found == sources.end() ? std::nullopt : std::optional(found->second));
    if (found != sources.end()) sources.erase(found);
  }
  // A new output needs a type, which only value_info has; a value without one is not compared.
  for (const auto& info : graph->value_info()) {
    const auto found = sources.find(info.name());
    if (found == sources.end() || !info.type().has_tensor_type()) continue;
    *graph->add_output() = info;
    outputs.emplace_back(found->second);
  }
  return outputs;
}

}  // namespace

std::map<std::string, std::vector<Probe>> RunWithProbes(const std::string& path, const std::vector<ort::Tensor>& inputs,
                                                        ort::Client* client) {
  onnx::ModelProto model = onnx_file::ReadModel(*archive::OpenFile(path));
  const std::vector<std::optional<Source>> sources = AddProbes(model.mutable_graph());
  ort::Request request{.model_path = {}, .model_bytes = model.SerializeAsString(), .inputs = inputs};
  std::optional<TemporaryFile> file;
  // ONNX Runtime looks for data files beside the model's path; from bytes in memory it would find none.
  if (HasWeightsElsewhere(model.graph())) {
    file.emplace(path + ".bisect", request.model_bytes);
    request.model_path = file->path();
    request.model_bytes.clear();
  }
  ort::Response response = client->Run(request);
  if (!response.error.empty()) throw CannotCompare("ONNX Runtime: " + response.error);
  std::map<std::string, std::vector<Probe>> probes;
  for (size_t i = 0; i < std::min(sources.size(), response.outputs.size()); ++i) {
    if (sources[i]) probes[sources[i]->call].push_back({sources[i]->node, std::move(response.outputs[i])});
  }
  return probes;
}

}  // namespace onnxport::verify
