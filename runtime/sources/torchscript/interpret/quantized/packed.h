// Packed parameters of quantized operators: objects of C++ classes. Here their contents are attributes.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_QUANTIZED_PACKED_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_QUANTIZED_PACKED_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/sources/torchscript/interpret/values/heap.h"
#include "runtime/sources/torchscript/interpret/values/value.h"

namespace onnxport::torchscript {

// `quantized::NAME_prepack(...)`: returns an object with the attributes weight, bias, stride, padding, dilation, groups
// ...; nothing for another operator or other arguments.
std::optional<Value> Prepack(const std::string& name, const ValueList& args, Heap* heap);
// `quantized::NAME_unpack(...)`, `quantized::conv2d_stride(...)`.
std::optional<Value> AskPacked(const Cell& packed, const std::string& question);
// Methods of the object: `unpack`, `bias`, `stride` ...; nothing for an object of another class.
std::optional<Value> CallPackedMethod(const Cell& object, const std::string& method);
// The configuration of a convolution as LibTorch stores it: dimensions, stride, padding, dilation, output padding,
// groups, transposed. False when it is too short.
bool SetConvConfiguration(const std::vector<int64_t>& numbers, const CellPtr& packed, Heap* heap);

// Returns the elements of a small tensor.
std::vector<double> ReadNumbers(const ir::TensorData& data);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_QUANTIZED_PACKED_H_
