// The traits of all spec files as the C++ table that the runtime reads.
#ifndef ONNXPORT_CODEGEN_TRAITS_TABLE_H_
#define ONNXPORT_CODEGEN_TRAITS_TABLE_H_

#include <string>
#include <string_view>
#include <vector>

#include "codegen/emit/template.h"
#include "codegen/traits/resolve.h"
#include "runtime/base/linked_tables.h"

namespace onnxport::codegen {

// op_traits.gen.cc of a set of operators. The traits have been checked.
std::string TraitsTable(std::vector<ResolvedTraits> traits, Templates* templates, std::string_view owner = kBuiltIn);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_TRAITS_TABLE_H_
