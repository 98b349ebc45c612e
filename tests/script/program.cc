#include "tests/script/program.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "onnx/onnx_pb.h"

namespace onnxport::script {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

// Takes tensors one after another from the initializers of a GraphProto.
class Tensors {
 public:
  explicit Tensors(const fs::path& path) {
    if (!graph_.ParseFromString(ReadFile(path))) throw std::runtime_error(path.string() + " is no GraphProto");
  }

  // `lengths`: null for a tensor, the number of elements for a sequence.
  std::vector<ort::Tensor> Take(const Json& lengths) {
    std::vector<ort::Tensor> taken;
    for (const Json& length : lengths) {
      if (length.is_null()) {
        taken.push_back(Next());
        continue;
      }
      ort::Tensor sequence{.name = "", .dtype = {}, .shape = {}, .bytes = {}, .is_sequence = true};
      for (int i = 0; i < length.get<int>(); ++i) sequence.elements.push_back(Next());
      taken.push_back(std::move(sequence));
    }
    return taken;
  }

 private:
  ort::Tensor Next() {
    if (next_ >= graph_.initializer_size()) throw std::runtime_error("too few tensors");
    const onnx::TensorProto& proto = graph_.initializer(next_++);
    return {.name = proto.name(),
            .dtype = static_cast<ir::DType>(proto.data_type()),
            .shape = {proto.dims().begin(), proto.dims().end()},
            .bytes = proto.raw_data()};
  }

  onnx::GraphProto graph_;
  int next_ = 0;
};

Program ReadProgram(const fs::path& folder, const Json& json) {
  Program program;
  json.at("name").get_to(program.name);
  program.archive = folder / json.at("archive").get<std::string>();
  json.at("inputs").get_to(program.inputs);
  json.at("since").get_to(program.since);
  json.at("opsets").get_to(program.opsets);
  json.at("has").get_to(program.has);
  json.at("has_not").get_to(program.has_not);
  json.at("weights").get_to(program.weights);
  json.at("outputs").get_to(program.outputs);
  json.at("remarks").get_to(program.remarks);
  json.at("remarks_not").get_to(program.remarks_not);
  json.at("refused").get_to(program.refused);
  json.at("kind").get_to(program.kind);
  json.at("tolerance").get_to(program.tolerance);
  json.at("method").get_to(program.method);
  json.at("trust").get_to(program.trust);
  json.at("complex_as_real").get_to(program.complex_as_real);
  if (const Json& axes = json.at("fixed_axes"); !axes.is_null())
    program.fixed_axes = axes.get<std::vector<std::string>>();
  for (const Json& run : json.at("runs")) {
    Tensors tensors(folder / (program.name + "." + std::to_string(program.calls.size()) + ".pb"));
    std::vector<ort::Tensor> inputs = tensors.Take(run.at("inputs"));
    program.calls.push_back({.inputs = std::move(inputs), .outputs = tensors.Take(run.at("outputs"))});
  }
  return program;
}

}  // namespace

std::vector<Program> ReadPrograms(const fs::path& folder) {
  std::vector<Program> programs;
  for (const Json& json : Json::parse(ReadFile(folder / "programs.json"))) {
    programs.push_back(ReadProgram(folder, json));
  }
  return programs;
}

}  // namespace onnxport::script
