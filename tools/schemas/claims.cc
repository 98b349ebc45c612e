#include "tools/schemas/claims.h"

#include <array>
#include <sstream>
#include <string_view>

#include "fmt/format.h"
#include "runtime/aten/aten_schema.h"

namespace onnxport::schemas {

namespace {

// The first two numbers of "2.14.1", "2.13.0+cpu" or "LibTorch 2.14.1".
std::array<int, 2> Release(std::string_view version) {
  std::array<int, 2> release = {};
  char dot = '.';
  std::istringstream(std::string(version.substr(version.rfind(' ') + 1))) >> release[0] >> dot >> release[1];
  return release;
}

}  // namespace

std::vector<std::string> ClaimDifferences(const std::vector<codegen::SpecFile>& specs,
                                          const std::map<std::string, std::string>& linked,
                                          const std::string& version) {
  const bool older = Release(version) < Release(ir::AtenSchemasOrigin());
  std::vector<std::string> differences;
  for (const codegen::SpecFile& spec : specs) {
    for (const codegen::OpEntry& entry : spec.ops) {
      for (const std::string& name : entry.names) {
        const ir::AtenSchema* dumped = ir::FindAtenSchema(name);
        const auto found = linked.find(name);
        const std::string expected = dumped ? dumped->text : "nothing";
        const std::string seen = found != linked.end() ? found->second : "nothing";
        if (dumped != nullptr && (expected == seen || (older && found == linked.end()))) continue;
        if (dumped != nullptr && !name.starts_with("aten::")) continue;  // kept by hand
        differences.push_back(fmt::format("{}:{}: {}\n  spec/aten_schemas.txt: {}\n  linked LibTorch:       {}",
                                          spec.path, entry.place.line, name, expected, seen));
      }
    }
  }
  return differences;
}

}  // namespace onnxport::schemas
