// Complex tensors of the source program. ONNX operators do not take them, so the graph has their parts: a real tensor
// with a last axis of 2 for the real and the imaginary part. The complex value itself has a type, but no node makes it.
#ifndef ONNXPORT_RUNTIME_LOWERING_BUILD_COMPLEX_H_
#define ONNXPORT_RUNTIME_LOWERING_BUILD_COMPLEX_H_

#include <string>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::lowering {

class Emitter;

// complex64 -> float32, complex128 -> float64, and back. kUndefined for other dtypes.
ir::DType PartDType(ir::DType complex);
ir::DType ComplexDType(ir::DType part);

// Casts a real or complex tensor to the complex dtype. Throws Refusal.
ir::ValueId CastToComplex(Emitter* emitter, ir::ValueId id, ir::DType complex);

// Makes the nodes on the parts for a node with complex inputs. Throws Refusal for operators without such a form.
std::vector<ir::ValueId> AddComplexNode(Emitter* emitter, const std::string& op, std::vector<ir::Arg> inputs,
                                        std::vector<ir::Attribute> attributes, size_t outputs);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_BUILD_COMPLEX_H_
