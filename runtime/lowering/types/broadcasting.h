// Which operators of ONNX broadcast all their inputs.
#ifndef ONNXPORT_RUNTIME_LOWERING_TYPES_BROADCASTING_H_
#define ONNXPORT_RUNTIME_LOWERING_TYPES_BROADCASTING_H_

#include <string_view>

namespace onnxport::lowering {

// The first result has the shape that the inputs have when they are broadcast to one another. Of normalizations and
// PRelu that is the first input's, as the others only may be smaller.
inline constexpr std::string_view kBroadcasting[] = {
    "Add",
    "And",
    "BitShift",
    "BitwiseAnd",
    "BitwiseOr",
    "BitwiseXor",
    "Div",
    "Equal",
    "Greater",
    "GreaterOrEqual",
    "LayerNormalization",
    "Less",
    "LessOrEqual",
    "Max",
    "Mean",
    "Min",
    "Mod",
    "Mul",
    "Or",
    "PRelu",
    "Pow",
    "RMSNormalization",
    "Sub",
    "Sum",
    "Where",
    "Xor",
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_TYPES_BROADCASTING_H_
