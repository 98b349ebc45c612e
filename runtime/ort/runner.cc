// Runs models in ONNX Runtime (CPU, one thread): requests on standard input, responses on standard output.
#include <unistd.h>

#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <vector>

#include "onnxruntime_cxx_api.h"
#include "runtime/ort/protocol.h"

namespace onnxport::ort {
namespace {

const std::map<ir::DType, ONNXTensorElementDataType>& ElementTypes() {
  static const std::map<ir::DType, ONNXTensorElementDataType> types = {
      {ir::DType::kFloat32, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT},
      {ir::DType::kFloat64, ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE},
      {ir::DType::kFloat16, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16},
      {ir::DType::kBFloat16, ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16},
      {ir::DType::kInt8, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8},
      {ir::DType::kInt16, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16},
      {ir::DType::kInt32, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32},
      {ir::DType::kInt64, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64},
      {ir::DType::kUInt8, ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8},
      {ir::DType::kUInt16, ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16},
      {ir::DType::kUInt32, ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32},
      {ir::DType::kUInt64, ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64},
      {ir::DType::kFloat8E4M3FN, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FN},
      {ir::DType::kFloat8E5M2, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2},
      {ir::DType::kBool, ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL},
  };
  return types;
}

ir::DType FromElementType(ONNXTensorElementDataType type) {
  for (const auto& [dtype, element] : ElementTypes()) {
    if (element == type) return dtype;
  }
  return ir::DType::kUndefined;
}

Ort::Value MakeInput(Tensor& tensor) {
  if (tensor.is_sequence) {
    std::vector<Ort::Value> elements;
    for (Tensor& element : tensor.elements) elements.push_back(MakeInput(element));
    return Ort::Value::CreateSequence(elements);
  }
  static const Ort::MemoryInfo memory = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
  return Ort::Value::CreateTensor(memory, tensor.bytes.data(), tensor.bytes.size(), tensor.shape.data(),
                                  tensor.shape.size(), ElementTypes().at(tensor.dtype));
}

Tensor TakeOutput(const std::string& name, const Ort::Value& value) {
  if (!value.IsTensor()) {
    Ort::AllocatorWithDefaultOptions allocator;
    Tensor sequence{.name = name, .dtype = {}, .shape = {}, .bytes = {}, .is_sequence = true};
    for (size_t i = 0; i < value.GetCount(); ++i) {
      sequence.elements.push_back(TakeOutput("", value.GetValue(static_cast<int>(i), allocator)));
    }
    return sequence;
  }
  const auto info = value.GetTensorTypeAndShapeInfo();
  Tensor tensor{.name = name, .dtype = FromElementType(info.GetElementType()), .shape = info.GetShape(), .bytes = {}};
  const size_t size = info.GetElementCount() * static_cast<size_t>(ir::ByteSize(tensor.dtype));
  tensor.bytes.assign(static_cast<const char*>(value.GetTensorRawData()), size);
  return tensor;
}

// The model of the last request.
using Session = std::unique_ptr<Ort::Session>;

Session Open(Ort::Env& env, const Request& request) {
  Ort::SessionOptions options;
  options.SetIntraOpNumThreads(1);
  options.SetGraphOptimizationLevel(GraphOptimizationLevel::ORT_ENABLE_BASIC);
  if (!request.model_path.empty()) return std::make_unique<Ort::Session>(env, request.model_path.c_str(), options);
  return std::make_unique<Ort::Session>(env, request.model_bytes.data(), request.model_bytes.size(), options);
}

Response Run(Ort::Env& env, Request& request, Session* last) {
  if (!request.model_path.empty() || !request.model_bytes.empty()) {
    last->reset();  // a model that cannot be opened leaves none behind
    *last = Open(env, request);
  }
  if (*last == nullptr) return {.error = "no model", .outputs = {}};
  Ort::Session& session = **last;
  Ort::AllocatorWithDefaultOptions allocator;
  std::vector<const char*> input_names;
  std::vector<Ort::Value> inputs;
  for (Tensor& tensor : request.inputs) {
    input_names.push_back(tensor.name.c_str());
    inputs.push_back(MakeInput(tensor));
  }
  std::vector<std::string> names;
  for (size_t i = 0; i < session.GetOutputCount(); ++i) {
    names.emplace_back(session.GetOutputNameAllocated(i, allocator).get());
  }
  std::vector<const char*> output_names;
  for (const std::string& name : names) output_names.push_back(name.c_str());
  auto values = session.Run(Ort::RunOptions{nullptr}, input_names.data(), inputs.data(), inputs.size(),
                            output_names.data(), output_names.size());
  Response response;
  for (size_t i = 0; i < values.size(); ++i) response.outputs.push_back(TakeOutput(names[i], values[i]));
  return response;
}

}  // namespace

int Serve() {
  // Libraries may print on standard output; answers go to a descriptor of their own.
  const int out = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  Ort::Env env(ORT_LOGGING_LEVEL_FATAL);
  Session last;
  while (auto request = ReceiveRequest(STDIN_FILENO)) {
    Response response;
    try {
      response = Run(env, *request, &last);
    } catch (const Ort::Exception& e) {
      response.error = std::string(e.GetOrtErrorCode() == ORT_NOT_IMPLEMENTED ? kNotImplemented : "") + e.what();
    } catch (const std::exception& e) {
      response.error = e.what();
      if (response.error.empty()) response.error = "unknown error";
    }
    if (!Send(out, response)) return 1;
  }
  return 0;
}

}  // namespace onnxport::ort

int main() { return onnxport::ort::Serve(); }
