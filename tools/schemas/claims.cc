#include "tools/schemas/claims.h"

#include "fmt/format.h"
#include "runtime/aten/aten_schema.h"

namespace onnxport::schemas {

std::vector<std::string> ClaimDifferences(const std::vector<codegen::SpecFile>& specs,
                                          const std::map<std::string, std::string>& linked) {
  std::vector<std::string> differences;
  for (const codegen::SpecFile& spec : specs) {
    for (const codegen::OpEntry& entry : spec.ops) {
      for (const std::string& name : entry.names) {
        const ir::AtenSchema* dumped = ir::FindAtenSchema(name);
        const auto found = linked.find(name);
        const std::string expected = dumped ? dumped->text : "nothing";
        const std::string seen = found != linked.end() ? found->second : "nothing";
        if (dumped != nullptr && expected == seen) continue;
        if (dumped != nullptr && !name.starts_with("aten::")) continue;  // kept by hand
        differences.push_back(fmt::format("{}:{}: {}\n  spec/aten_schemas.txt: {}\n  linked LibTorch:       {}",
                                          spec.path, entry.place.line, name, expected, seen));
      }
    }
  }
  return differences;
}

}  // namespace onnxport::schemas
