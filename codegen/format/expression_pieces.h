// Splits expressions of the spec language into pieces for layout.h, with canonical spaces, quotes and words.
#ifndef ONNXPORT_CODEGEN_FORMAT_EXPRESSION_PIECES_H_
#define ONNXPORT_CODEGEN_FORMAT_EXPRESSION_PIECES_H_

#include <string_view>

#include "codegen/format/layout.h"

namespace onnxport::codegen {

// Returns the pieces of a text that the loader accepted: an expression, a refinement, `x in list`, `name(a, b)`, `a,
// b`.
Pieces ExpressionPieces(std::string_view text);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_FORMAT_EXPRESSION_PIECES_H_
