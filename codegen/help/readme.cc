#include "codegen/help/readme.h"

#include <fmt/format.h>

#include <array>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "codegen/help/usage.h"
#include "codegen/model/clauses.h"

namespace onnxport::codegen {
namespace {

constexpr auto kTables = std::to_array<std::pair<std::string_view, Owner>>({
    {"<!-- keys: file -->", kOfFile},
    {"<!-- keys: entry -->", kOfEntry},
    {"<!-- keys: case -->", kOfCase},
    {"<!-- keys: definition -->", kOfDefinition},
    {"<!-- keys: value_case -->", kOfValueCase},
    {"<!-- keys: fold -->", kOfFold},
    {"<!-- keys: loop -->", kOfLoop},
    {"<!-- keys: promote -->", kOfPromote},
    {"<!-- keys: compute_in -->", kOfComputeIn},
    {"<!-- keys: schema -->", kOfSchema},
});
constexpr std::string_view kFunctions = "<!-- functions -->";

std::string FunctionsTable() {
  std::string table = "| function | result |\n| --- | --- |\n";
  for (const lowering::BuiltinInfo& builtin : lowering::kBuiltins)
    table += fmt::format("| `{}` | {} |\n", Usage(builtin), builtin.doc);
  return table;
}

std::string KeysTable(Owner owner) {
  std::string table = "| key | meaning |\n| --- | --- |\n";
  for (const Clause& clause : kClauses)
    if (clause.owners & owner) table += fmt::format("| {} | {} |\n", clause.usage, clause.meaning);
  return table;
}

std::string TableOf(std::string_view marker) {
  if (marker == kFunctions) return FunctionsTable();
  for (const auto& [of, owner] : kTables)
    if (of == marker) return KeysTable(owner);
  throw std::runtime_error(fmt::format("spec/README.md: there is no table for `{}`", marker));
}

bool IsMarker(std::string_view line) { return line.starts_with("<!-- keys") || line == kFunctions; }

}  // namespace

std::string WithTables(const std::string& readme) {
  std::istringstream lines(readme);
  std::string text;
  bool in_table = false;
  for (std::string line; std::getline(lines, line);) {
    in_table = in_table && line.starts_with('|');
    if (in_table) continue;
    text += line + "\n";
    if (!IsMarker(line)) continue;
    text += TableOf(line);
    in_table = true;
  }
  return text;
}

}  // namespace onnxport::codegen
