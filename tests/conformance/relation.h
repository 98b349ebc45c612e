// The relations between results and arguments of a call that a test states with `holds`. `A == U S Vh` says more than
// shapes where the results are not unique.
#ifndef ONNXPORT_TESTS_CONFORMANCE_RELATION_H_
#define ONNXPORT_TESTS_CONFORMANCE_RELATION_H_

#include <map>
#include <string>

#include "runtime/verify/ort/protocol.h"
#include "tests/conformance/case.h"

namespace onnxport::conformance {

// Tensors by the names that the schema gives them; of a complex dtype where PyTorch's are.
struct Related {
  std::map<std::string, ort::Tensor> values;   // the arguments, and what the model computed
  std::map<std::string, ort::Tensor> pytorch;  // the results that eager PyTorch computed
};

// The two sides of `relation`, computed by LibTorch in double precision; a complex one as real and imaginary parts.
// Throws std::runtime_error where there is no such name or function, or LibTorch's text.
struct Sides {
  ort::Tensor left;
  ort::Tensor right;
};
Sides SidesOf(const Term& relation, const Related& related);

// Returns whether the relation names a result of PyTorch that the model lacks.
bool NeedsMissing(const Term& relation, const Related& related);

// "matmul(U, Vh) == A"
std::string ToText(const Term& relation);

}  // namespace onnxport::conformance

#endif  // ONNXPORT_TESTS_CONFORMANCE_RELATION_H_
