#include "runtime/verify/inputs/test_data.h"

#include <filesystem>
#include <iterator>

#include "onnx/onnx_pb.h"
#include "runtime/base/error.h"
#include "runtime/model/serializer/wire.h"
#include "runtime/model/serializer/write_file.h"

namespace onnxport::verify {
namespace {

namespace fs = std::filesystem;

onnx::TensorProto ToProto(const ort::Tensor& tensor) {
  onnx::TensorProto proto;
  proto.set_name(tensor.name);
  proto.set_data_type(static_cast<int>(tensor.dtype));
  for (const int64_t size : tensor.shape) proto.add_dims(size);
  proto.set_raw_data(tensor.bytes);
  return proto;
}

std::string BytesOf(const ort::Tensor& tensor) {
  if (!tensor.is_sequence) return ToProto(tensor).SerializeAsString();
  // A SequenceProto, whose header not every installation of ONNX has: name, kind of its elements (tensors), elements.
  std::string bytes = serializer::FieldHeader(1, std::ssize(tensor.name)) + tensor.name;
  serializer::AppendVarint(2 << 3, &bytes);
  serializer::AppendVarint(1, &bytes);
  for (const ort::Tensor& element : tensor.elements) {
    const std::string proto = ToProto(element).SerializeAsString();
    bytes += serializer::FieldHeader(3, std::ssize(proto)) + proto;
  }
  return bytes;
}

void Save(const fs::path& folder, const char* kind, const std::vector<ort::Tensor>& tensors,
          const std::vector<std::string>& read) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    const fs::path path = folder / (std::string(kind) + "_" + std::to_string(i) + ".pb");
    serializer::WriteFile(path.string(), BytesOf(tensors[i]), read);
  }
}

}  // namespace

void SaveTest(const std::string& folder, size_t number, const std::vector<ort::Tensor>& inputs,
              const std::vector<ort::Tensor>& outputs, const std::vector<std::string>& read) {
  const fs::path set = fs::path(folder) / ("test_data_set_" + std::to_string(number));
  std::error_code error;
  fs::create_directories(set, error);
  if (error) throw Error(ErrorKind::kCannotWrite, set.string() + ": " + error.message());
  Save(set, "input", inputs, read);
  Save(set, "output", outputs, read);
}

}  // namespace onnxport::verify
