// Lines of at most 120 columns, broken about where clang-format breaks them.
#ifndef ONNXPORT_CODEGEN_EMIT_WRAP_H_
#define ONNXPORT_CODEGEN_EMIT_WRAP_H_

#include <string>
#include <string_view>

namespace onnxport::codegen {

// One C++ statement, given as one line, indented; lines after the first are aligned with the bracket they are in.
// Ends with a line feed.
std::string WrapStatement(std::string_view statement, int indent);

// A comment ("// ..."), broken at spaces.
std::string WrapComment(std::string_view text);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_WRAP_H_
