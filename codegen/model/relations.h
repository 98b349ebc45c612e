// The functions of `holds`: relations between results and arguments, which conformance tests compute with LibTorch.
#ifndef ONNXPORT_CODEGEN_MODEL_RELATIONS_H_
#define ONNXPORT_CODEGEN_MODEL_RELATIONS_H_

#include <cstddef>
#include <string_view>

namespace onnxport::codegen {

struct RelationFunction {
  std::string_view name;
  size_t min_args;
  size_t max_args;
};

inline constexpr RelationFunction kRelationFunctions[] = {
    {"matmul", 2, 2},    // the product of matrices
    {"adjoint", 1, 1},   // conjugated and transposed
    {"diagonal", 1, 2},  // the matrix with this diagonal; with a second argument in its shape
    {"identity", 1, 1},  // of as many rows as the matrix has columns
    {"below", 1, 1},     // a matrix with zeros on the diagonal and above it
    {"gather", 2, 2},    // elements of the last axis by their numbers
    {"pytorch", 1, 1},   // a result as PyTorch computes it
};

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_MODEL_RELATIONS_H_
