// Every name that generated code contains. For `aten::softmax.int` in spec/aten/norm.yaml:
//
//   generated/aten/norm.gen.cc, norm.cases.gen.cc, norm.rows
//   Vals aten_softmax_int(Context& c);         from the first opset on
//   Vals aten_softmax_int_from13(Context& c);  from opset 13 on
//   extern const NodeRow aten_relu_row;        an entry that needs no code
//   Val conv_from11(Context& c, const Val& x); a def of the file
//   extern const conformance::Family norm_family;
//   dim_                                       a local named like a keyword or a function that is called beside it
#ifndef ONNXPORT_CODEGEN_EMIT_NAMES_H_
#define ONNXPORT_CODEGEN_EMIT_NAMES_H_

#include <set>
#include <string>
#include <string_view>

namespace onnxport::codegen {

std::string CodeFilename(std::string_view family);
std::string CasesFilename(std::string_view family);
std::string RowsFilename(std::string_view family);

std::string FunctionName(std::string_view overload, int since);
std::string NodeRowName(std::string_view overload, int since);
std::string DefName(std::string_view def, int since);
std::string FamilyName(std::string_view family);

// A let, argument, target or parameter of the spec. `called`: C++ names of the functions called in the same function.
std::string LocalName(std::string_view name, const std::set<std::string>& called);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_NAMES_H_
