// What the specs claim is what the linked LibTorch has; another LibTorch fails here only where a claimed schema
// changed.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "codegen/load/load.h"
#include "gtest/gtest.h"
#include "tools/schemas/claims.h"
#include "tools/schemas/registry.h"

namespace onnxport::schemas {
namespace {

std::vector<codegen::SpecFile> LoadSpecs() {
  codegen::Diagnostics diagnostics;
  std::vector<codegen::SpecFile> specs;
  for (const auto& file : std::filesystem::directory_iterator("spec/aten")) {
    std::ifstream in(file.path());
    std::ostringstream text;
    text << in.rdbuf();
    auto spec = codegen::LoadSpecFile(file.path().string(), text.str(), &diagnostics);
    if (spec) specs.push_back(std::move(*spec));
  }
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.ToText();
  return specs;
}

codegen::SpecFile Claiming(const std::string& name) {
  codegen::SpecFile spec;
  spec.path = "spec/aten/x.yaml";
  spec.ops.emplace_back();
  spec.ops.back().names = {name};
  spec.ops.back().place.line = 7;
  return spec;
}

TEST(Schemas, ClaimedOnesAreThoseOfTheLinkedLibTorch) {
  const auto specs = LoadSpecs();
  ASSERT_FALSE(specs.empty());
  std::string text;
  for (const std::string& difference : ClaimDifferences(specs, LinkedSchemas())) text += difference + "\n";
  EXPECT_EQ(text, "")
      << "refresh with ./bazelw run //tools/schemas:dump -- spec/aten_schemas.txt and adapt the specs\n";
}

TEST(Schemas, ADifferenceIsFoundAndShowsBoth) {
  const std::string relu = "aten::relu(Tensor self) -> Tensor";
  EXPECT_TRUE(ClaimDifferences({Claiming("aten::relu")}, {{"aten::relu", relu}}).empty());
  EXPECT_TRUE(ClaimDifferences({Claiming("aten::relu")}, {{"aten::relu", relu}, {"aten::new", "x"}}).empty());
  const auto changed = ClaimDifferences({Claiming("aten::relu")}, {{"aten::relu", "aten::relu(Tensor x) -> Tensor"}});
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_EQ(changed[0], "spec/aten/x.yaml:7: aten::relu\n  spec/aten_schemas.txt: " + relu +
                            "\n  linked LibTorch:       aten::relu(Tensor x) -> Tensor");
  EXPECT_EQ(ClaimDifferences({Claiming("aten::relu")}, {}).size(), 1u);
  EXPECT_EQ(ClaimDifferences({Claiming("aten::no_such")}, {}).size(), 1u);
}

}  // namespace
}  // namespace onnxport::schemas
