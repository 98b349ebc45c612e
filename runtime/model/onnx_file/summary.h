// Counts the contents of an ONNX model.
#ifndef ONNXPORT_RUNTIME_MODEL_ONNX_FILE_SUMMARY_H_
#define ONNXPORT_RUNTIME_MODEL_ONNX_FILE_SUMMARY_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "onnx/onnx_pb.h"

namespace onnxport::onnx_file {

struct Summary {
  struct Operator {
    std::string name;  // with its domain, unless it is ONNX's own: "com.example.Relu6"
    int64_t count = 0;
  };
  struct Weight {
    std::string name;
    std::string type;  // "float32[64,3,7,7]"
    int64_t bytes = 0;
    std::string file;  // the file of external data; empty: in the model
  };
  // Includes nodes of subgraphs and functions. Largest first, then by name.
  std::vector<Operator> operators;
  std::vector<Weight> weights;
  int64_t nodes = 0;
  int64_t weight_bytes = 0;
  // Names of free axes, and their places: "batch" -> {"x axis 0", "y axis 0"}.
  std::map<std::string, std::vector<std::string>> axes;
};

// "Relu", "com.example.Relu6"
std::string OperatorName(const std::string& domain, const std::string& name);

Summary Summarize(const onnx::ModelProto& model);

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_SUMMARY_H_
