// Operators of quantized tensors, which are represented by their dequantized values (values/grids.h).
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_QUANTIZED_QUANTIZED_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_QUANTIZED_QUANTIZED_H_

#include <functional>
#include <span>
#include <string>

#include "runtime/sources/torchscript/interpret/builtins/call_site.h"
#include "runtime/sources/torchscript/interpret/values/grids.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/sources/torchscript/interpret/values/values.h"

namespace onnxport::torchscript {

// Operators that make quantized tensors, or query them. They take no other tensors.
std::span<const BuiltinRow> QuantizedTensorBuiltins();
// Recurrent layers with packed weights.
std::span<const BuiltinRow> QuantizedLayerBuiltins();
// `quantized::` operators, with packed parameters or without.
std::span<const BuiltinRow> QuantizedNamespace();

// Any other operator on a tensor quantized with `grid`: calls the float operator on the dequantized values, then
// follows the operator's trait `quantized`. `call_float` makes a call of ATen. Throws Refusal for an operator without
// the trait.
using FloatCall = std::function<Value(const std::string& op, ValueList args, Keywords keywords)>;
Value CallOnGrid(const CallSite& call, const Grid& grid, const FloatCall& call_float);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_QUANTIZED_QUANTIZED_H_
