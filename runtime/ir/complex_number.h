// Complex numbers among the arguments of a call.
#ifndef ONNXPORT_RUNTIME_IR_COMPLEX_NUMBER_H_
#define ONNXPORT_RUNTIME_IR_COMPLEX_NUMBER_H_

#include <memory>

#include "runtime/ir/graph.h"

namespace onnxport::ir {

// A complex128 tensor without axes. It is the only tensor with contents among the arguments of a call.
Arg ComplexNumber(double real, double imaginary);

// Returns the same number in `dtype`, kComplex64 or kComplex128. ComplexNumber must have made `number`, because it is
// read as two doubles.
std::shared_ptr<const TensorData> WithDType(const TensorData& number, DType dtype);

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_COMPLEX_NUMBER_H_
