// ONNX's IR version of an opset.
#ifndef ONNXPORT_RUNTIME_IR_IR_VERSION_H_
#define ONNXPORT_RUNTIME_IR_IR_VERSION_H_

namespace onnxport::ir {

// The IR version of the ONNX release that brought the opset (`docs/Versioning.md` of ONNX), which every runtime that
// knows the opset can read: 7 -> 3, 18 -> 8, 25 -> 13. An opset that spec/onnx_releases.txt lacks is an Error (kUsage).
int IrVersionOf(int opset);

// The last line of spec/onnx_releases.txt: an opset that exists, though the linked ONNX may be older.
int NewestReleasedOpset();

// Before this version an initializer must be listed among the graph's inputs too.
inline constexpr int kIrVersionWithFreeInitializers = 4;

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_IR_VERSION_H_
