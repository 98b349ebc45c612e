// The definitions of the real libraries: each is called.
#include <set>
#include <string>
#include <vector>

#include "codegen/load/imports.h"
#include "codegen/load/load.h"
#include "gtest/gtest.h"

namespace onnxport::codegen {
namespace {

std::vector<SpecFile> Families() {
  Diagnostics diagnostics;
  std::vector<SpecFile> families;
  for (const std::string& path : SpecPaths("."))
    if (auto spec = LoadSpecFile(path, ReadFile(path), &diagnostics)) families.push_back(std::move(*spec));
  EXPECT_EQ(diagnostics.ToText(), "");
  return families;
}

Libraries RealLibraries() {
  Diagnostics diagnostics;
  Libraries libraries = ReadLibraries(LibraryFiles("."), &diagnostics);
  EXPECT_EQ(diagnostics.ToText(), "");
  return libraries;
}

TEST(Definitions, OfLibrariesAreCalled) {
  const Libraries libraries = RealLibraries();
  std::set<std::string> called;
  Diagnostics diagnostics;
  for (SpecFile& family : Families()) {
    FollowImports(libraries, &family, &diagnostics);
    for (const Def& def : family.defs) called.insert(def.name);
  }
  EXPECT_EQ(diagnostics.ToText(), "");
  EXPECT_GT(libraries.defs().size(), 100U);
  for (const Def& def : libraries.defs()) EXPECT_TRUE(called.contains(def.name)) << LineText(def.place) << def.name;
}

}  // namespace
}  // namespace onnxport::codegen
