// Every definition of spec/prelude.yaml is called by some family.
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "codegen/load/calls.h"
#include "codegen/load/load.h"
#include "gtest/gtest.h"

namespace onnxport::codegen {
namespace {

SpecFile Load(const std::string& path, const std::vector<Def>& prelude) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  Diagnostics diagnostics;
  auto spec = LoadSpecFile(path, text.str(), &diagnostics, prelude);
  EXPECT_EQ(diagnostics.ToText(), "");
  return spec.value_or(SpecFile());
}

TEST(Prelude, EveryDefinitionIsCalled) {
  const SpecFile prelude = Load("spec/prelude.yaml", {});
  std::set<std::string> called;
  for (const auto& file : std::filesystem::recursive_directory_iterator("spec/aten")) {
    if (!file.is_regular_file()) continue;
    for (std::string& name : CalledDefs(Load(file.path(), prelude.defs), prelude.defs)) called.insert(std::move(name));
  }
  for (const Def& def : prelude.defs) EXPECT_TRUE(called.contains(def.name)) << def.name;
}

}  // namespace
}  // namespace onnxport::codegen
