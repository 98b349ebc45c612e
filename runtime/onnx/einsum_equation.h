// The equation of an Einsum, by its grammar.
#ifndef ONNXPORT_RUNTIME_ONNX_EINSUM_EQUATION_H_
#define ONNXPORT_RUNTIME_ONNX_EINSUM_EQUATION_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace onnxport::onnx_ops {

// Says what is wrong with the equation for so many operands; empty: nothing. ONNX's inference takes it on trust.
//
// An equation is TERM,TERM or TERM,TERM->TERM, where a term is letters and at most one `...`. Behind the arrow stands
// each letter once, and none that no operand has. Blanks mean nothing.
std::string EinsumMistake(std::string_view equation, size_t operands);

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_EINSUM_EQUATION_H_
