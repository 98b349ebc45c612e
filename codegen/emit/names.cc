#include "codegen/emit/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "codegen/model/cpp_keywords.h"
#include "runtime/base/linked_tables.h"
#include "runtime/lowering/dsl/builtin_table.h"

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

bool IsFunctionOfTheLanguage(std::string_view name) {
  return std::ranges::find(lowering::kBuiltins, name, &lowering::BuiltinInfo::cpp) != lowering::kBuiltins.end();
}

}  // namespace

// A local of that name would hide what generated code calls: with a `Vals` of the spec's, `Vals{a}` would not compile.
bool IsReserved(std::string_view name) {
  static const std::set<std::string_view> kWords = {
      // what generated code itself uses
      "c", "Val", "Vals", "Lazy", "Splat", "Map", "Filter", "Or", "And", "Contains", "FloorDiv", "Pow", "Unpack",
      "must", "one_of", "require", "refuse", "no_case", "DType", "PromoteKind", "Context", "std", "onnxport",
      "lowering", "generated", "hooks",
      // macros of the C library
      "errno", "stdin", "stdout", "stderr", "assert", "linux", "unix"};
  // Other macros are all capitals.
  const bool macro = name.size() > 1 && std::ranges::none_of(name, [](unsigned char c) { return std::islower(c); });
  return macro || IsCppKeyword(name) || kWords.contains(name);
}

std::string CodeFilename(std::string_view family) { return fmt::format("{}.gen.cc", family); }
std::string CasesFilename(std::string_view family) { return fmt::format("{}.cases.gen.cc", family); }
std::string RowsFilename(std::string_view family) { return fmt::format("{}.rows.json", family); }

std::string FunctionName(std::string_view overload) { return Identifier(overload); }
std::string FamilyName(std::string_view family) { return fmt::format("{}_family", family); }

std::string FamilyNamespace(std::string_view family) { return fmt::format("{}_operators", family); }

std::string NamespaceName(std::string_view owner) {
  if (owner == kBuiltIn) return "generated";
  const std::string name = Identifier(owner);
  return fmt::format("generated{}{}", name.starts_with('_') ? "" : "_", name);
}

std::string DefName(std::string_view def) {
  const bool taken =
      IsReserved(def) || IsFunctionOfTheLanguage(def) || def.starts_with("aten_") || def.starts_with("def_");
  return taken ? fmt::format("def_{}", def) : std::string(def);
}

}  // namespace onnxport::codegen
