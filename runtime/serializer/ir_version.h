// ONNX's IR version of an opset.
#ifndef ONNXPORT_RUNTIME_SERIALIZER_IR_VERSION_H_
#define ONNXPORT_RUNTIME_SERIALIZER_IR_VERSION_H_

namespace onnxport::serializer {

// The IR version of the ONNX release that brought the opset (`docs/Versioning.md` of ONNX), which every runtime that
// knows the opset can read: 7 -> 3, 18 -> 8, 25 -> 13. An opset that libonnx does not know is an Error (kUsage).
int IrVersionOf(int opset);

// Before this version an initializer must be listed among the graph's inputs too.
inline constexpr int kIrVersionWithFreeInitializers = 4;

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_SERIALIZER_IR_VERSION_H_
