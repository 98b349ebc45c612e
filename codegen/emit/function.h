// The body of one generated function: one overload of one entry at one opset.
#ifndef ONNXPORT_CODEGEN_EMIT_FUNCTION_H_
#define ONNXPORT_CODEGEN_EMIT_FUNCTION_H_

#include <functional>
#include <set>
#include <string>

#include "codegen/check/fold.h"

namespace onnxport::codegen {

// The C++ name of a def of the file at the opset of the function being written.
using DefNames = std::function<std::string(const std::string& def)>;

struct FunctionText {
  std::string text;            // statements, indented by two; without the signature and the closing brace
  std::set<std::string> defs;  // C++ names of the file's defs that it calls
};

// `hint`: for "no case matched", what other opsets offer; may be empty.
FunctionText WriteFunction(const FoldedEntry& folded, const DefNames& def_names, const std::string& hint);

// A def of the file: parameters and statements.
struct DefText {
  std::string parameters;  // "Context& c, const Val& x, const Val& w"
  std::string text;
  std::set<std::string> defs;
};
DefText WriteDef(const Def& def, int opset, const DefNames& def_names);

// "spec/aten/norm.yaml:12"
std::string PlaceText(const Place& place);
// "spec/aten/norm.yaml:12 case 2"
std::string CaseId(const OpEntry& entry, int number);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_FUNCTION_H_
