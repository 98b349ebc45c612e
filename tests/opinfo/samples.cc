#include "tests/opinfo/samples.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace onnxport::opinfo {
namespace {

using Json = nlohmann::json;

std::vector<ort::Tensor> Types(const Json& json) {
  std::vector<ort::Tensor> tensors;
  for (const Json& type : json) {
    const auto dtype = ir::ParseDType(type.at("dtype").get<std::string>());
    if (!dtype) throw std::runtime_error("unknown dtype " + type.at("dtype").dump());
    tensors.push_back({.name = "", .dtype = *dtype, .shape = type.at("shape"), .bytes = ""});
  }
  return tensors;
}

}  // namespace

SampleReader::SampleReader(const std::filesystem::path& path) : in_(path, std::ios::binary) {
  if (!in_) throw std::runtime_error("cannot read " + path.string());
}

std::string SampleReader::Bytes(size_t size) {
  std::string bytes(size, '\0');
  if (!in_.read(bytes.data(), static_cast<std::streamsize>(size))) throw std::runtime_error("a record is cut off");
  return bytes;
}

std::optional<Sample> SampleReader::Next() {
  std::string line;
  if (!std::getline(in_, line)) return std::nullopt;
  const Json json = Json::parse(line);
  Sample sample{.op = json.at("op"),
                .dtype = json.at("dtype"),
                .number = json.at("sample"),
                .call = json.at("call"),
                .archives = {},
                .inputs = Types(json.at("inputs")),
                .outputs = Types(json.at("outputs")),
                .values = json.at("values").get<std::vector<bool>>()};
  for (const Json& archive : json.at("archives")) {
    sample.archives.push_back({.extension = archive.at(0), .bytes = "", .why = archive.at(1)});
  }
  auto size = json.at("sizes").begin();
  for (Archive& archive : sample.archives) archive.bytes = Bytes(*size++);
  for (ort::Tensor& input : sample.inputs) input.bytes = Bytes(*size++);
  for (ort::Tensor& output : sample.outputs) output.bytes = Bytes(*size++);
  return sample;
}

}  // namespace onnxport::opinfo
