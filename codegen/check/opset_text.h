// Sets of opsets as text.
#ifndef ONNXPORT_CODEGEN_CHECK_OPSET_TEXT_H_
#define ONNXPORT_CODEGEN_CHECK_OPSET_TEXT_H_

#include <set>
#include <string>

namespace onnxport::codegen {

// "opset 7 to 10, 13", "opset 25"
std::string OpsetText(const std::set<int>& opsets);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_OPSET_TEXT_H_
