// Checks the equation of an Einsum against its grammar.
#ifndef ONNXPORT_RUNTIME_ONNX_EINSUM_EQUATION_H_
#define ONNXPORT_RUNTIME_ONNX_EINSUM_EQUATION_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace onnxport::onnx_ops {

// Returns the mistake in the equation for this many operands; empty if there is none. ONNX's inference does not check
// it.
//
// An equation is TERM,TERM or TERM,TERM->TERM. A term is letters and at most one `...`. After the arrow each letter
// occurs at most once, and each is a letter of some operand. Blanks mean nothing.
std::string EinsumMistake(std::string_view equation, size_t operands);

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_EINSUM_EQUATION_H_
