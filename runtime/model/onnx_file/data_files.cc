#include "runtime/model/onnx_file/data_files.h"

#include <filesystem>
#include <set>

namespace onnxport::onnx_file {
namespace {

// As deep as the file could be parsed: protobuf's own limit of 100 messages.
class Names {
 public:
  void Add(const onnx::TensorProto& tensor) {
    for (const auto& entry : tensor.external_data()) {
      if (entry.key() == "location") found.insert(entry.value());
    }
  }
  void Add(const onnx::SparseTensorProto& tensor) {
    Add(tensor.values());
    Add(tensor.indices());
  }
  void Add(const onnx::GraphProto& graph) {
    AddAll(graph.initializer());
    AddAll(graph.sparse_initializer());
    AddAll(graph.node());
  }
  void Add(const onnx::NodeProto& node) {
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_t()) Add(attribute.t());
      if (attribute.has_g()) Add(attribute.g());
      if (attribute.has_sparse_tensor()) Add(attribute.sparse_tensor());
      AddAll(attribute.tensors());
      AddAll(attribute.graphs());
      AddAll(attribute.sparse_tensors());
    }
  }
  template <typename All>
  void AddAll(const All& all) {
    for (const auto& one : all) Add(one);
  }

  std::set<std::string> found;
};

}  // namespace

std::vector<std::string> DataFilesOf(const onnx::ModelProto& model, const std::string& path) {
  Names names;
  names.Add(model.graph());
  for (const onnx::FunctionProto& function : model.functions()) names.AddAll(function.node());
  std::vector<std::string> files;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  for (const std::string& name : names.found) files.push_back((folder / name).string());
  return files;
}

}  // namespace onnxport::onnx_file
