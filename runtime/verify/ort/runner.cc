// Runs models in ONNX Runtime (CPU, one thread): requests on standard input, responses on standard output.
//
//   exporter-onnxruntime [--version] [LIBRARY]    the library of ONNX Runtime; else it is looked for
//   (load_onnxruntime.h)
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <vector>

#define ORT_API_MANUAL_INIT  // nothing is linked that could be asked before `main`
#include "onnxruntime_cxx_api.h"
#undef ORT_API_MANUAL_INIT
#include "onnxport/version.h"
#include "runtime/base/error.h"
#include "runtime/verify/ort/load_onnxruntime.h"
#include "runtime/verify/ort/protocol.h"

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

// The value only points to the bytes of `tensor`, so the request must live until the run is over. Not const: ONNX
// Runtime asks for memory that it could write to.
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
  // All names before the first c_str(): a vector that grows moves its strings, and short ones have their text within.
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

#ifndef ONNXRUNTIME_LIBRARY  // a build against one of the machine says its file (third_party/libraries.bzl)
#define ONNXRUNTIME_LIBRARY ""
#endif

// ONNX Runtime 1.16 has everything that is used here: releases keep what older ones had.
constexpr uint32_t kApiVersion = 16;

// Loads ONNX Runtime; what it is, in words. Throws where there is none.
std::string Start(const std::string& library) {
  const OnnxRuntime found = LoadOnnxRuntime(library, ONNXRUNTIME_LIBRARY);
  const OrtApiBase* base = reinterpret_cast<const OrtApiBase* (*)()>(found.get_api_base)();
  std::string text = std::string("ONNX Runtime ") + base->GetVersionString() + " (" + found.file + ")";
  const OrtApi* api = base->GetApi(kApiVersion);
  if (api == nullptr) throw Error(ErrorKind::kUsage, text + " is too old: 1.16 or newer will do");
  Ort::InitApi(api);
  return text;
}

}  // namespace

int SayVersion(const std::string& library) {
  try {
    std::printf("exporter-onnxruntime %s, with %s\n", kVersion, Start(library).c_str());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "exporter-onnxruntime: ONNX Runtime: %s\n", error.what());
    return 1;
  }
}

int Serve(const std::string& library) {
  // Libraries may print on standard output; answers go to a descriptor of their own. A kernel that prints one line
  // would otherwise put it into the middle of a message.
  const int out = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  std::unique_ptr<Ort::Env> env;
  // Without ONNX Runtime it goes on and answers each request with the reason. Would it end here, the client would know
  // no more than "exit status 1".
  std::string missing;
  try {
    Start(library);
    env = std::make_unique<Ort::Env>(ORT_LOGGING_LEVEL_FATAL);
  } catch (const std::exception& e) {
    missing = e.what();
  }
  Session last;
  while (auto request = ReceiveRequest(STDIN_FILENO)) {
    Response response;
    try {
      if (env == nullptr) throw Error(ErrorKind::kUsage, missing);
      response = Run(*env, *request, &last);
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

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const bool version = !words.empty() && words[0] == "--version";
  const size_t place = version ? 1 : 0;
  const std::string library = words.size() > place ? words[place] : "";
  return version ? onnxport::ort::SayVersion(library) : onnxport::ort::Serve(library);
}
