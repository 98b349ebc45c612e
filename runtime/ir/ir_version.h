// The IR version of ONNX for an opset.
#ifndef ONNXPORT_RUNTIME_IR_IR_VERSION_H_
#define ONNXPORT_RUNTIME_IR_IR_VERSION_H_

namespace onnxport::ir {

// Returns the IR version of the ONNX release that introduced the opset (`docs/Versioning.md` of ONNX): 7 -> 3, 18 -> 8,
// 25 -> 13. Every runtime that knows the opset can read it. Throws Error (kUsage) for an opset that is not in
// spec/onnx_releases.txt.
int IrVersionOf(int opset);

// The opset in the last line of spec/onnx_releases.txt. The linked ONNX may be older.
int NewestReleasedOpset();

// Before this version, an initializer must also be listed in the inputs of the graph.
inline constexpr int kIrVersionWithFreeInitializers = 4;

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_IR_VERSION_H_
