// The names in generated code, except locals (local_names.h). For `aten::softmax.int` in spec/aten/norm.yaml:
//
//   generated/aten/norm.gen.cc, norm.cases.gen.cc, norm.rows.json
//   namespace norm_operators
//   Vals aten_softmax_int(Context& c);
//   Val conv(Context& c, const Val& x);  a def of the file; def_double for one that C++ or val.h has another use for
//   extern const conformance::Family norm_family;
#ifndef ONNXPORT_CODEGEN_EMIT_NAMES_H_
#define ONNXPORT_CODEGEN_EMIT_NAMES_H_

#include <string>
#include <string_view>

namespace onnxport::codegen {

std::string CodeFilename(std::string_view family);
std::string CasesFilename(std::string_view family);
std::string RowsFilename(std::string_view family);

std::string FunctionName(std::string_view overload);
std::string DefName(std::string_view def);
std::string FamilyName(std::string_view family);

// The namespace of the functions of a set of operators: "generated" for onnxport's own, "generated_foo_ops" for
// "//foo:ops".
std::string NamespaceName(std::string_view owner);
// The namespace within it for the functions of a family. Two families may have definitions of one name, and several
// files of generated code are compiled as one.
std::string FamilyNamespace(std::string_view family);

// Returns true for a name that a spec may use but a local of generated code may not: a keyword of C++, a name that
// generated code uses, a macro.
bool IsReserved(std::string_view name);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_NAMES_H_
