// The operators' schemas as comments.
#ifndef ONNXPORT_CODEGEN_FORMAT_SCHEMA_COMMENT_H_
#define ONNXPORT_CODEGEN_FORMAT_SCHEMA_COMMENT_H_

#include <string>
#include <vector>

namespace onnxport::codegen {

// `#: aten::sin, aten::cos(Tensor self) -> Tensor`: operators with one signature share it. Unknown ones are left out.
std::vector<std::string> SchemaComment(const std::vector<std::string>& operators);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_FORMAT_SCHEMA_COMMENT_H_
