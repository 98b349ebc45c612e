// Writes declarations as C++ that a program links.
#ifndef ONNXPORT_CODEGEN_DECLARE_TEXT_H_
#define ONNXPORT_CODEGEN_DECLARE_TEXT_H_

#include <string>
#include <string_view>

#include "codegen/declare/declare.h"
#include "codegen/emit/template.h"

namespace onnxport::codegen {

// Returns declarations.gen.cc of a set of operators: the nodes that it declares.
std::string DeclarationsText(const Declarations& declarations, Templates* templates, std::string_view owner);

// Returns aten_declarations.gen.cc: the schemas of the ATen operators that it adds to PyTorch's.
std::string AtenDeclarationsText(const Declarations& declarations, Templates* templates, std::string_view owner);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_DECLARE_TEXT_H_
