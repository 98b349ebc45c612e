// A view of a node in which every present input has a type.
#ifndef ONNXPORT_RUNTIME_MODEL_ONNX_FILE_KNOWN_TYPES_H_
#define ONNXPORT_RUNTIME_MODEL_ONNX_FILE_KNOWN_TYPES_H_

#include <string>

#include "onnx/defs/shape_inference.h"

namespace onnxport::onnx_file {

// Some inputs have no type, because they come from a node of another domain or from a wrong node. Some of ONNX's
// functions read the missing type. Here such an input has an empty type; all else is unchanged.
class KnownTypes : public onnx::InferenceContext {
 public:
  explicit KnownTypes(onnx::InferenceContext* node) : node_(*node) {}

  const onnx::TypeProto* getInputType(size_t index) const override {
    const onnx::TypeProto* type = node_.getInputType(index);
    return type == nullptr && node_.hasInput(index) ? &unknown_ : type;
  }

  const onnx::AttributeProto* getAttribute(const std::string& name) const override { return node_.getAttribute(name); }
  size_t getNumInputs() const override { return node_.getNumInputs(); }
  bool hasInput(size_t index) const override { return node_.hasInput(index); }
  const onnx::TensorProto* getInputData(size_t index) const override { return node_.getInputData(index); }
  size_t getNumOutputs() const override { return node_.getNumOutputs(); }
  onnx::TypeProto* getOutputType(size_t index) override { return node_.getOutputType(index); }
  bool hasOutput(size_t index) override { return node_.hasOutput(index); }
  onnx::GraphInferencer* getGraphAttributeInferencer(const std::string& name) override {
    return node_.getGraphAttributeInferencer(name);
  }
  const onnx::SparseTensorProto* getInputSparseData(size_t index) const override {
    return node_.getInputSparseData(index);
  }
  const onnx::TensorShapeProto* getSymbolicInput(size_t index) const override { return node_.getSymbolicInput(index); }
  std::string getDisplayName() const override { return node_.getDisplayName(); }

 private:
  onnx::InferenceContext& node_;
  onnx::TypeProto unknown_;
};

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_KNOWN_TYPES_H_
