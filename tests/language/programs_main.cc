// programs COUNT OUT: writes a C++ file with COUNT random specs that the checks accept, and what the generator makes of
// each, in a namespace of its own.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <utility>

#include "codegen/check/check.h"
#include "codegen/emit/family.h"
#include "codegen/emit/names.h"
#include "codegen/emit/template.h"
#include "codegen/load/load.h"
#include "codegen/specialize/specialize.h"
#include "fmt/format.h"
#include "tests/language/random_entry.h"

namespace onnxport::language {
namespace {

constexpr uint32_t kMostTries = 200'000;

constexpr char kHead[] = R"(#include <cmath>

#include "runtime/lowering/dsl/builtins.h"
#include "runtime/lowering/dsl/context.h"
#include "tests/language/programs.h"
)";

struct Written {
  std::string definitions;
  std::string function;
};

// Nothing for a spec with mistakes.
std::optional<Written> Write(const std::string& text, codegen::Templates* templates) {
  codegen::Diagnostics diagnostics;
  auto spec = codegen::LoadSpecFile("spec/aten/f.yaml", text, &diagnostics);
  const auto checked =
      spec ? codegen::Check(codegen::Specialize(std::move(*spec)), {.needs_tests = false}, &diagnostics) : std::nullopt;
  if (!checked) {
    if (std::getenv("ONNXPORT_SHOW") != nullptr) std::cerr << text << diagnostics.ToText();
    return std::nullopt;
  }
  const codegen::FamilyCode family = codegen::WriteFamily(*checked, templates);
  return Written{family.definitions, codegen::FunctionName(family.overloads[0].schema->name)};
}

int Main(size_t count, const char* path) {
  codegen::Templates templates("templates");
  std::string code = kHead, table;
  size_t written = 0;
  uint32_t seed = 0;
  for (; seed < kMostTries && written < count; ++seed) {
    const std::string spec = RandomSpec(seed);
    const auto program = Write(spec, &templates);
    if (!program) continue;
    const std::string space = fmt::format("generated::program_{}", seed);
    code += fmt::format("\nnamespace onnxport::{} {{\nusing namespace lowering;\n{}}}\n", space, program->definitions);
    table += fmt::format("    {{R\"SPEC({})SPEC\", &{}::{}}},\n", spec, space, program->function);
    ++written;
  }
  code += fmt::format(
      "\nnamespace onnxport::language {{\nnamespace {{\nconst Program kPrograms[] = {{\n{}}};\n}}\n"
      "std::span<const Program> Programs() {{ return kPrograms; }}\n}}\n",
      table);
  std::cerr << written << " of " << seed << " random specs were accepted\n";
  return written == count && std::ofstream(path, std::ios::binary) << code ? 0 : 1;
}

}  // namespace
}  // namespace onnxport::language

int main(int argc, char** argv) {
  return argc == 3 ? onnxport::language::Main(std::strtoul(argv[1], nullptr, 10), argv[2]) : 2;
}
