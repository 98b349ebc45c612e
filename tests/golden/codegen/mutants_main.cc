// mutants COUNT OUT: writes a C++ file with what the generator makes of COUNT mutants that it accepts, each in a
// namespace of its own. That it compiles is the test: what the checks accept is C++.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "codegen/check/check.h"
#include "codegen/emit/family.h"
#include "codegen/emit/template.h"
#include "codegen/load/load.h"
#include "codegen/specialize/specialize.h"
#include "fmt/format.h"
#include "tests/golden/codegen/mutator.h"

namespace onnxport::codegen {
namespace {

constexpr char kHead[] = R"(#include <cmath>

#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/hooks.h"
#include "runtime/lowering/dsl/builtins.h"
)";

// The functions of an accepted mutant; empty for another one.
std::string Functions(const Mutant& mutant, Templates* templates) {
  Diagnostics diagnostics;
  auto spec = LoadSpecFile(mutant.path, mutant.text, &diagnostics);
  const auto checked = spec ? Check(Specialize(std::move(*spec)), {}, &diagnostics) : std::nullopt;
  return checked ? WriteFamily(*checked, templates).definitions : "";
}

int Main(size_t count, const char* path) {
  Mutator mutator;
  Templates templates("templates");
  std::set<std::string> seen;
  std::ofstream out(path, std::ios::binary);
  out << kHead;
  for (int tries = 0; tries < 100'000 && seen.size() < count; ++tries) {
    const Mutant mutant = mutator.Next();
    if (mutant.text.find("hook:") != std::string::npos) continue;  // C++ functions that the generator does not know
    const std::string functions = Functions(mutant, &templates);
    if (functions.empty() || !seen.insert(functions).second) continue;
    out << fmt::format("\nnamespace onnxport::generated::mutant_{} {{\nusing namespace lowering;\n{}}}\n", seen.size(),
                       functions);
  }
  if (seen.size() == count && out.flush()) return 0;
  std::cerr << "only " << seen.size() << " mutants were accepted, or the file cannot be written\n";
  return 1;
}

}  // namespace
}  // namespace onnxport::codegen

int main(int argc, char** argv) {
  return argc == 3 ? onnxport::codegen::Main(std::strtoul(argv[1], nullptr, 10), argv[2]) : 2;
}
