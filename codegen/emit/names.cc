#include "codegen/emit/names.h"

#include <fmt/format.h>

#include <cctype>

#include "codegen/check/onnx_schemas.h"
#include "codegen/model/cpp_keywords.h"

namespace onnxport::codegen {
namespace {

// "aten::softmax.int" -> "aten_softmax_int", "aten::_softmax" -> "aten_private_softmax": no two underscores in a row,
// such names belong to the compiler.
std::string Identifier(std::string_view name) {
  std::string text;
  for (char letter : name) {
    if (std::isalnum(static_cast<unsigned char>(letter)))
      text += letter;
    else if (!text.ends_with('_'))
      text += '_';
    else if (letter == '_')
      text += "private_";
  }
  return text;
}

std::string Since(std::string_view stem, int since) {
  return since == FirstOpset() ? std::string(stem) : fmt::format("{}_from{}", stem, since);
}

const std::set<std::string_view>& Reserved() {
  static const std::set<std::string_view> kWords = {
      // what generated code itself uses
      "c", "Val", "Vals", "Lazy", "Splat", "Map", "Filter", "Or", "And", "Contains", "FloorDiv", "Pow", "DType",
      "PromoteKind", "Context", "INFINITY", "NAN", "std", "onnxport", "lowering", "hooks",
      // macros of the C library
      "errno", "stdin", "stdout", "stderr", "assert", "linux", "unix", "NULL", "EOF"};
  return kWords;
}

}  // namespace

std::string CodeFilename(std::string_view family) { return fmt::format("{}.gen.cc", family); }
std::string CasesFilename(std::string_view family) { return fmt::format("{}.cases.gen.cc", family); }
std::string RowsFilename(std::string_view family) { return fmt::format("{}.rows", family); }

std::string FunctionName(std::string_view overload, int since) { return Since(Identifier(overload), since); }
std::string NodeRowName(std::string_view overload, int since) { return Since(Identifier(overload) + "_row", since); }
std::string DefName(std::string_view def, int since) { return Since(def, since); }
std::string FamilyName(std::string_view family) { return fmt::format("{}_family", family); }

std::string LocalName(std::string_view name, const std::set<std::string>& called) {
  std::string text(name);
  return IsCppKeyword(name) || Reserved().contains(name) || called.contains(text) ? text + "_" : text;
}

}  // namespace onnxport::codegen
