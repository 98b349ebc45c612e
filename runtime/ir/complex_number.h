// Complex numbers among the arguments of a call.
#ifndef ONNXPORT_RUNTIME_IR_COMPLEX_NUMBER_H_
#define ONNXPORT_RUNTIME_IR_COMPLEX_NUMBER_H_

#include <memory>

#include "runtime/ir/graph.h"

namespace onnxport::ir {

// A tensor without axes, complex128; no other argument of a program is a tensor with contents.
Arg ComplexNumber(double real, double imaginary);

// The same number of that dtype, kComplex64 or kComplex128.
// `number` is one that ComplexNumber made: it is read as two doubles.
std::shared_ptr<const TensorData> WithDType(const TensorData& number, DType dtype);

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_COMPLEX_NUMBER_H_
