// The traits of all spec files as the C++ table that the runtime reads.
#ifndef ONNXPORT_CODEGEN_TRAITS_TABLE_H_
#define ONNXPORT_CODEGEN_TRAITS_TABLE_H_

#include <string>
#include <vector>

#include "codegen/emit/template.h"
#include "codegen/traits/resolve.h"

namespace onnxport::codegen {

// generated/op_traits.gen.cc. The traits have been checked.
std::string TraitsTable(std::vector<ResolvedTraits> traits, Templates* templates);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_TRAITS_TABLE_H_
